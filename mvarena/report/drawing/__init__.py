"""Drawing of figures from points (`mvarena.report.points`) and looks: the only modules that know matplotlib."""
