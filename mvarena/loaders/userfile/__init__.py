"""Users' own files: what they hold is found out, and said.

`npzform.write_npz` writes the clean form that needs no finding out: an .npz of plain arrays (never pickled objects):

    view_names   (V,) text: the views, in order
    X0, X1, ...  view i as n x d matrix, rows are samples; or, where it is sparse,
    X0_data, X0_indices, X0_indptr, X0_shape   its CSR parts
    kinds        (V,) text: "features", "kernel" or "distance"; found out from the numbers if absent
    M            (n, V) bool: True where the view observes the sample; all do if absent
    y            (n,) integers: the class of each sample, -1 for none; no labels if absent
    classes      (k,) text: the names of the classes 0 .. k-1; optional
    n_clusters   how many clusters to look for; the number of classes if absent
"""
