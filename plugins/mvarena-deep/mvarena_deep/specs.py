"""What the methods are called, what they take, where they come from."""

from __future__ import annotations

from mvarena.contracts.capabilities import Capabilities
from mvarena.contracts.specs import AlgorithmSpec, PaperGrid

_COST = "time O(epochs n weights), memory O(n d + weights + batch^2)"
_UNITS = "networks start with weights of one size whatever the data's, so views of larger values outweigh the others"
# from the authors' programs at the commits that reports/audit names; what they set by data set is no parameter here
_SEEDS = PaperGrid("the authors' program has one setting, and by data set another seed")
_ONE = PaperGrid("in the authors' program nothing was seen that differs by data set")

AE_KM = AlgorithmSpec(
    name="ae-km",
    target="mvarena_deep.ae_km:AutoencoderKMeans",
    summary="an autoencoder per view, mean of the codes, k-means: the control for deep methods",
    source="a control, from no paper",
    capabilities=Capabilities(sparse=False, any_threads=False),
    cost="time O(epochs n weights), memory O(n d + weights)",
    units=_UNITS,
)
SIMVC = AlgorithmSpec(
    name="simvc",
    version="2",
    target="mvarena_deep.simvc:SiMVC",
    summary="a weighted sum of the views' codes, clustered by deep divergence",
    source="Trosten et al., CVPR 2021",
    label="SiMVC",
    capabilities=Capabilities(sparse=False, any_threads=False),
    cost=_COST,
    grid=_ONE,
    units=_UNITS,
)
COMVC = AlgorithmSpec(
    name="comvc",
    version="2",
    target="mvarena_deep.simvc:CoMVC",
    summary="SiMVC with a contrast of the views' codes of one sample",
    source="Trosten et al., CVPR 2021",
    label="CoMVC",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2),
    cost=_COST,
    grid=_ONE,
    units=_UNITS,
)
COMPLETER = AlgorithmSpec(
    name="completer",
    target="mvarena_deep.completer:Completer",
    summary="two views' codes share their information; what is missing is predicted from the other",
    source="Lin et al., CVPR 2021",
    label="COMPLETER",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2, max_views=2, complete_samples=2),
    cost="time O(epochs c weights) for c complete samples, memory O(n d + weights)",
    grid=_SEEDS,
    units=_UNITS,
)
DSIMVC = AlgorithmSpec(
    name="dsimvc",
    target="mvarena_deep.dsimvc:DSIMVC",
    summary="contrast across views, imputed samples weighted so that they do no harm to observed ones",
    source="Tang and Liu, ICML 2022",
    label="DSIMVC",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2, complete_samples=2),
    cost="time O(epochs n weights + V n^2), memory O(n d + n batch + weights)",
    grid=PaperGrid("the authors' program sets its epochs by data set: 30 or 80, then 100 to 300 steps"),
    units=_UNITS,
)
PROIMP = AlgorithmSpec(
    name="proimp",
    target="mvarena_deep.proimp:ProImp",
    summary="two views' codes and prototypes agree; what is missing is rebuilt from prototypes",
    source="Li et al., IJCAI 2023",
    label="ProImp",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2, max_views=2, complete_samples=2),
    cost=_COST,
    grid=_ONE,
    units=_UNITS,
)
MFLVC = AlgorithmSpec(
    name="mflvc",
    target="mvarena_deep.mflvc:MFLVC",
    summary="contrast of features and soft labels across views, then pseudo-labels; complete views",
    source="Xu et al., CVPR 2022",
    label="MFLVC",
    capabilities=Capabilities(sparse=False, any_threads=False, missing=False, min_views=2),
    prepare=("fill-mean",),
    cost=_COST,
    grid=PaperGrid("the authors' program sets its seed and the epochs of contrast by data set: 10 to 100"),
    units=_UNITS,
)
CPSPAN = AlgorithmSpec(
    name="cpspan",
    target="mvarena_deep.cpspan:CPSPAN",
    summary="samples and prototypes of the views aligned; a missing code is the most similar sample's",
    source="Jin et al., CVPR 2023",
    label="CPSPAN",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2, complete_samples=2),
    cost="time O(epochs n weights + V n^2 k), memory O(n d + weights)",
    grid=_ONE,
    units=_UNITS,
)
RML = AlgorithmSpec(
    name="rml",
    target="mvarena_deep.rml:RML",
    summary="views fused by attention, contrast of two simulated perturbations of a sample",
    source="Xu et al., ICCV 2025",
    label="RML",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2),
    cost=_COST,
    grid=PaperGrid("the authors' program sets its seed and the steps of contrast by data set: 400 to 200,000"),
    units=_UNITS,
)
DCP = AlgorithmSpec(
    name="dcp",
    target="mvarena_deep.dcp:DCP",
    summary="COMPLETER for any number of views: every view's code is predicted from every other's",
    source="Lin et al., IEEE TPAMI 2023",
    label="DCP",
    capabilities=Capabilities(sparse=False, any_threads=False, min_views=2, complete_samples=2),
    cost="time O(epochs c V^2 weights) for c complete samples, memory O(n d + weights)",
    grid=_SEEDS,
    units=_UNITS,
)

ALGORITHMS: tuple[AlgorithmSpec, ...] = (AE_KM, SIMVC, COMVC, COMPLETER, DSIMVC, PROIMP, MFLVC, CPSPAN, RML, DCP)
