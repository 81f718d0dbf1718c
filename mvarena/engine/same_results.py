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
    # numerics/memory.py: the limits of nested control groups count, too
    "973ee5dae80f35787fd068cd82a450fd5b191f3c703badd03b044545ca3451cd": (
        "2bed90dc387472577daec6aa917fbb939676c81835a92d6e713a41e9183638eb"
    ),
    # numerics/control_groups.py, which it reads them by
    "5e9f0d80abcab16696856fc08aaa7d317ca481e0eb3db1507a9d790e42332d13": "",
    # rnnmf.py: what a step and the objective share is computed once, to the last bit
    "f1714e178ce569e31d257e8fcd7f3c552f70f076d294de3cdfd44a0aab4940ea": (
        "df4027a1e98c39f598a494d51effda15407be97c38d6bb385a2b6e2a051e50e5"
    ),
    # img.py: Cholesky in place of Bunch and Kaufman; P to 1e-14, the stored labels are the same
    "d26b7260a7bd185fdd7156eac251f13027cfdff36799235cbfb9b2abd72a365d": (
        "b5023c249c4efaacca8e2d3d5b8dfb81eebb43c2137ee30a2979f1ebd0330f31"
    ),
    # dsnmf.py: small factors in place of tall ones; H to 1e-10, the stored labels are the same
    "ad5e914dbc97f0e50b0229a39507a4fa2950de1b5c516099b38904ea1fa5ac76": (
        "75959ff7a8c551ded06cb1329f55c2a3f4f747ecf1acb74db8719812a9ed4f8f"
    ),
    # numerics/thin_qr.py, which they come from
    "667ca43a76c9234ac268d5734ff170233c735b999d161bfeea8d7f5692750379": "",
    # coreg.py: one more rule for sigma, which no stored trial has
    "75f8862c360ab6497501c38966457f161a031217275054adb55692b333dc07bf": (
        "0c334cf5027844febcac2e27ef3f670d28b7dd6ea63e8490369b1f132d824f36"
    ),
}
