"""Edits of shared code that are known to leave every stored result as it is, so that none is called stale for them.

Who edits a file that many components import, and can show that no result depends on the edit (the tests against
reference numbers pass with both), declares it here: the sha256 of the file as it is -> that of the file whose results
still hold, or "" for a new file. A later edit makes the entry void: it is declared anew, or all results are stale.
"""

from __future__ import annotations

SAME_RESULTS = {
    # contracts/algorithm.py: a generator of NumPy's as random_state, which no stored trial has
    "ca72bb819f12512352c15d4bc7c58f769d776eb81f6370165ddc45423a1b3bc9": (
        "db7ee6c71e89ac1aec10017012b3aa6704729f63c90fd178ba37045b080669f8"
    ),
    # contracts/capabilities.py: whether the number of threads matters is declared; nothing acts upon it
    "0c21d02557df33e6bbcf5907157933aefaad471a7858c6c442e5be3526a58aba": (
        "7000b4624fb95122035ec6b97d75f39b4b0a4d38a62dab048e16ef61fb28b78f"
    ),
    # numerics/assignment.py and numerics/cluster_centres.py: k-means is imported where it is called
    "b26485bf9b78fd96804415ee069f29bf8df75756a87830ccbfa4c177cb100c35": (
        "73e5deebf21741a8aeab95071b9b2681b8dc4d34ea16f2a086958b4f766b276c"
    ),
    "23f510847ca0c474b4f7c98ae94c8d7c9c537dceff8631929a41c00ef43afe61": (
        "185bccebb781feba3975b2e5b9c9f0cc0b83898046f4aaf1fb822294a0b5a36e"
    ),
    # graph/_apmc_anchors.py and baselines/single_view.py: what scikit-learn computes is imported where it is called
    "df3f405e5ab6e2223f2c28b23dc9b7bc0424bd5e0fbc6cef6ceb0b4b60c13d84": (
        "c0ee46523775a7b16f70f7b9ed0486383298dbd301ac46f72d997ef3db01ec27"
    ),
    "040383a52efeda288a225c000f247cdb75649629f237a69fd556e8374fb114cd": (
        "3ad3e8547e3f92e1ed9d1a9fcf8d10b254c0cb666b1edd0c3770499f3d8fbf31"
    ),
    # numerics/memory.py: the limits of nested control groups count, too, and it needs no POSIX system
    "f7a6d0b8c1715d89d7a8a44aacada4eba7512304c8b92c54b96f7f806a3f0906": (
        "2bed90dc387472577daec6aa917fbb939676c81835a92d6e713a41e9183638eb"
    ),
    # numerics/control_groups.py, which it reads them by
    "5e9f0d80abcab16696856fc08aaa7d317ca481e0eb3db1507a9d790e42332d13": "",
}
