"""Drawings of figures, from their data (`report.figures`) and looks: the only modules that import matplotlib."""

from mvarena.report.drawing.bars import draw_bars
from mvarena.report.drawing.comparison import draw_comparison, draw_win_rates
from mvarena.report.drawing.convergence import draw_convergence
from mvarena.report.drawing.critical_difference import draw_critical_difference
from mvarena.report.drawing.embedding import draw_affinity, draw_embedding
from mvarena.report.drawing.heatmap import draw_heatmap
from mvarena.report.drawing.missing import draw_missing
from mvarena.report.drawing.pareto import draw_pareto
from mvarena.report.drawing.rate import by_rate
from mvarena.report.drawing.regret import draw_regret
from mvarena.report.drawing.scaling import draw_scaling
from mvarena.report.drawing.sensitivity import draw_sensitivity

# by the names of `mvarena.report.figures.kinds`
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
