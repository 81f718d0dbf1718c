"""How figures are drawn, from points (`mvarena.report.points`) and looks: the only modules that know matplotlib."""

from mvarena.report.draw.bars import draw_bars
from mvarena.report.draw.comparison import draw_comparison
from mvarena.report.draw.convergence import draw_convergence
from mvarena.report.draw.critical_difference import draw_critical_difference
from mvarena.report.draw.heatmap import draw_heatmap
from mvarena.report.draw.missing import draw_missing
from mvarena.report.draw.pareto import draw_pareto
from mvarena.report.draw.rate import by_rate
from mvarena.report.draw.regret import draw_regret
from mvarena.report.draw.scaling import draw_scaling
from mvarena.report.draw.sensitivity import draw_sensitivity
from mvarena.report.draw.space import draw_affinity, draw_embedding
from mvarena.report.draw.win_rates import draw_win_rates

# by the names of `mvarena.report.figure_kinds`
DRAWN = {
    "rate": by_rate,
    "bars": draw_bars,
    "heatmap": draw_heatmap,
    "critical-difference": draw_critical_difference,
    "comparison": draw_comparison,
    "pareto": draw_pareto,
    "scaling": draw_scaling,
    "convergence": draw_convergence,
    "sensitivity": draw_sensitivity,
    "regret": draw_regret,
    "win-rates": draw_win_rates,
    "missing": draw_missing,
    "embedding": draw_embedding,
    "affinity": draw_affinity,
}
