"""Edits of shared code that are known to leave every stored result as it is, so that none is called stale for them.

Who edits a file that many components import, and can show that no result depends on the edit (the tests against
reference numbers pass with both), declares it here: the sha256 of the file as it is -> that of the file whose results
still hold, or "" for a new file. A later edit makes the entry void: it is declared anew, or all results are stale.
"""

from __future__ import annotations

SAME_RESULTS = {
    # contracts/algorithm.py: a generator of NumPy's as random_state, and float32 features, which no stored trial has
    "887e1f44d48eea8d7840742558c09e3da9c25355c342027ce9d3c3210195eaaa": (
        "db7ee6c71e89ac1aec10017012b3aa6704729f63c90fd178ba37045b080669f8"
    ),
    # numerics/memory.py: the limits of nested control groups count, too, and it needs no POSIX system
    "f7a6d0b8c1715d89d7a8a44aacada4eba7512304c8b92c54b96f7f806a3f0906": (
        "2bed90dc387472577daec6aa917fbb939676c81835a92d6e713a41e9183638eb"
    ),
    # numerics/control_groups.py, which it reads them by
    "5e9f0d80abcab16696856fc08aaa7d317ca481e0eb3db1507a9d790e42332d13": "",
    # rnnmf.py: what a step and the objective share is computed once, to the last bit
    "f1714e178ce569e31d257e8fcd7f3c552f70f076d294de3cdfd44a0aab4940ea": (
        "df4027a1e98c39f598a494d51effda15407be97c38d6bb385a2b6e2a051e50e5"
    ),
    # img.py: Cholesky in place of Bunch and Kaufman, on one thread; P to 1e-14, the stored labels are the same
    "c80244e1d98dc9c5541d1a9d360fecdba44c0cdf1400422efcc1da7b1cf6aa1d": (
        "b5023c249c4efaacca8e2d3d5b8dfb81eebb43c2137ee30a2979f1ebd0330f31"
    ),
    # dsnmf.py: small factors in place of tall ones, on one thread; H to 1e-10, the stored labels are the same
    "03e173c2dd0d8d3aa7fbb9de19e7ee790921786093a96eafe40cbe38d3e4b2eb": (
        "75959ff7a8c551ded06cb1329f55c2a3f4f747ecf1acb74db8719812a9ed4f8f"
    ),
    # numerics/thin_qr.py, which they come from
    "667ca43a76c9234ac268d5734ff170233c735b999d161bfeea8d7f5692750379": "",
    # coreg.py: one more rule for sigma, which no stored trial has
    "75f8862c360ab6497501c38966457f161a031217275054adb55692b333dc07bf": (
        "0c334cf5027844febcac2e27ef3f670d28b7dd6ea63e8490369b1f132d824f36"
    ),
    # contracts/capabilities.py: what a method takes says whether float32 features stay so, and whether threads matter
    "aef5055239e296c87e566e2814cc691378c6478d32835e0ba7dcdc4c13723dde": (
        "7000b4624fb95122035ec6b97d75f39b4b0a4d38a62dab048e16ef61fb28b78f"
    ),
    # numerics/kernels.py: means of float32 rows are in double precision; those of float64 rows are what they were
    "785e333cbef03a71a9a4337188c94629a5e11ae4ade2a68c36f1d925f9005388": (
        "2df5cf7ee689fa700d3fe0d4274913335ca1e298b3456dd39699c62269c3406f"
    ),
    # numerics/scaling.py: dense rows are scaled block by block, to the last bit
    "89d10ad27a7202d7280735d0bd03cf757d0c6237e32ea418bf0b04855db2510f": (
        "2204db4cb5701179baa566636d09b0b6b941f59ddb931bae6fe78c8dafb24d2a"
    ),
    # numerics/feature_factors.py: float32 features have a factor of their own
    "9510174730585cf9c1d7c29157512f750895095d395a180aaedbe191e8a6bc07": (
        "b691e79be9a67b08cefad0511fae08880bd9a3e09b11d658cfbbc15cb37cba76"
    ),
    # algorithms/kernel/_eeimvc_base_partitions.py: the memory that float32 features need
    "83199218bbce12f1f1c6f0ef8609523da50946c7a413fa2271c9d41b2d5ce92e": (
        "7d3bb43098d2b14db9c85468040c923d0475f78bbcc13830fbd700ee32469b66"
    ),
    # algorithms/kernel/_eeimvc_compression.py: the same columns, made in LAPACK's order at once
    "4de3abe4b6eb6e474f2beabae4d9e6441180b34c942838e20ac23ddb34c0d9ad": (
        "2f1617cc5934edf4124f1219efd51c470b8fd5e7bc45a9204e44fa460c75f408"
    ),
    # numerics/single_rows.py and numerics/single_factor.py, which they do it by
    "8775b58a6202efec6e437867c03ccc3c1d7f140736afb3921c6e84c6404bd41d": "",
    "6c661c0e67609830edcc1b17763950cca9aa6a2c89dc5a6519175bcafe4aea90": "",
    # numerics/assignment.py, numerics/cluster_centres.py, graph/_apmc_anchors.py and baselines/single_view.py: what
    # scikit-learn computes is imported where it is called
    "f17cbe1c1bc7a746369a3d3f8eb425bd2d4f65145afa31dfb39e88182cc9350f": (
        "73e5deebf21741a8aeab95071b9b2681b8dc4d34ea16f2a086958b4f766b276c"
    ),
    "742faef889bf2e96e32273cd403b87526628ec0fa2c260cb81071e26a77c02db": (
        "7e057fe8597306992ff751f33400bb2415df2c34bc8423ab11d783311972340c"
    ),
    "df3f405e5ab6e2223f2c28b23dc9b7bc0424bd5e0fbc6cef6ceb0b4b60c13d84": (
        "c0ee46523775a7b16f70f7b9ed0486383298dbd301ac46f72d997ef3db01ec27"
    ),
    "040383a52efeda288a225c000f247cdb75649629f237a69fd556e8374fb114cd": (
        "3ad3e8547e3f92e1ed9d1a9fcf8d10b254c0cb666b1edd0c3770499f3d8fbf31"
    ),
    # numerics/simplex_rows.py: systems of a row's own entries alone; to 1e-13, the labels are the same
    "5e8b1e3c25ef684f717d96a4d6a257626f2ddafe09563529fd2fd5211c94aac5": (
        "34cb6b0cbaf067c0181a0ae8b2f341ec3623f09e1dd152f78b184227297cf742"
    ),
    # anchor/_cross_affinity.py: products of sparse rows all at once, to the last bit
    "72a0e38c08630dc041c0daa8679eb21c0e458c5775f53ed9b7012c64ac441a7e": (
        "d25004c1a4ef5c5724647c3cdb5c4d1b2393a4e40d10574d507bd0ab7b5f4089"
    ),
    # numerics/kmeans.py, kmeans_starts.py, kmeans_restarts.py: what assignment.py runs its restarts by, side by side;
    # labels are the same except where a point is equally near to two centres to the last bit, inertia to rounding
    "3e1225c976a174e45ba1fda6a628a9c8bcfb366c866bfa0cdc964ffb3f3e5d2d": "",
    "6800012b4d8982091cc2e50126b9fff5ca865d032fda54fe8db8f769656127b2": "",
    "3154c6131665f1dc9f07f8b34879ad1ca78b0faa1eb6941ab71653fc58c39cdd": "",
    # simplemkkm.py: without a function that only tests called
    "062a26cf7d97201cdb687ab613fa4904813332ce65fafb6b700dbde9e60f4d85": (
        "48f5cd59b67bd4bf6e4e7a4ab011e56b4e2e286db32c438c89b0c4c2fce8803a"
    ),
    # numerics/threads.py: what it holds stands in thread_pools.py, on which row_passes.py can count alone
    "da0078156985492116d50ffef8707d2ca220e14501b593f8efe2683e80017889": (
        "1ab3d2d9ebfc616612f8b9ced5b91cbc5a6253fdb8d0ed34bf7fba0016b08ab6"
    ),
    # numerics/factorization.py: without what lee_seung.py and coordinate_descent.py do block by block
    "9b80028890d4e7346da75fcec4b3fcb8a84879d316c18ac28dd3f3517c481a25": (
        "3a6e6c1aa794b1803aa4054e933b4e45b318ac5c571122ece4a1d133bc9b96c0"
    ),
    # mic.py, _mic_steps.py, filled_view.py, multinmf.py, pvc.py: the same steps block by block; to 1e-14, same labels
    "6556ca05fa74b5d54fa4e9562705c93025a6f05d12067a3ecf51ff4a50239eaa": (
        "3cb252c37c2be562b4c2a4f61b1719f084c1ddd0aa0e43dfc93210e5d7daa118"
    ),
    "f334cabed5b330d03e532771d81f8c45adc4aded7922608de1a033e58ddc71ab": (
        "39ec62288b05da7b12a9cd9bc23079e90d72d215b7f8c6517c7c83bda3259963"
    ),
    "ca9e9cfab8f1b748d2a5d7e17852862f1612320dbafcf427c15323b986a0c83a": (
        "a057a96037135e14aba96c88bdd6354703586f743f771a6f93e10d9d35f1eee8"
    ),
    "cf8dc385cc58e437afeccac9400645e3df7a21c69ea443dca80a485d7ace3846": (
        "729ae579500f2b2b450ff2cc2a1cdf0ee75d64b9914e1358a0ba2ef8767e7762"
    ),
    "923ef5ac584e2c68070bddceb1996a11653a45b5fb6c8952ef9d30e0e910ffbe": (
        "07f68955f0d409c20cad38735d36f05269f722acfe3164c4a35ea16387ae4008"
    ),
    # daimc.py: so are its steps of V, to the last bit
    "eefc481a147859f4ca937d3e29d556f960e61c59d1e4df18e6dd2011d4dce76a": (
        "16935e3b9b6273d25a20470f561be6da3c2c217a726ceb2f1e34a2d637a3d7f7"
    ),
    # numerics/row_passes.py, lee_seung.py, coordinate_descent.py and thread_pools.py, which they do it by
    "5c89b12c24096331b8a448d4ea75c38dc4b117086dcacdaa64425adbbf916def": "",
    "389e00535f5e583ad7dc1b73460de72539a486eec97b450099b73e00e8133b18": "",
    "8e672650506c5b2bb7d7700f2efb931e28249e9491ff1325e852ce7f2f74adfe": "",
    "f93493fbe983d22ca5524d8001db86e27dde7316a97cc5f35bc184341d3aa444": "",
    # kernel/eeimvc.py and graph/_apmc_pair.py: what is not needed any more is let go of; to the last bit
    "cf0f62ad6361598198f99684175a01e1e3293d2ca2dbf64f4fb742c0b767723d": (
        "a8735c996b996dc57fc3c0a8de36312c9e1da871e100f91007fe6f01ad3de854"
    ),
    "810ec4eb42a8b7152e8144d40e9b0375f981727e2ad1bdbe11d36192f4021d5b": (
        "97b461b974f5350f9aaad37876c63ea50dc3820b9bfed6af7c5295687e37a0e3"
    ),
    # mvgl.py and graph/_mvgl_components.py: sparse graphs where edges are local; to 1e-10, the labels are the same
    "a5647f079dbebaa6d196e836b4fa25ce668f3513563a4823d34692329c308c78": (
        "f1760abfa9b5054752f2b6b377523f52e1ee9448fc4d525e37eeaa2c70ddded8"
    ),
    "46ac566f8edb5721ad9e1e504aba5847ebf945caf7601e831ccd3ed80735fdbd": (
        "226110eb7fa99ad3c9243c46ce4f8b40b62d3d2bb4035b8f57850bdc3eb7122e"
    ),
    # what they call for it
    "c72c864fe23bd846f6658c8f5f406b5818ba1846d7804412ad85b82649f3c9b3": "",
    "f88ab575b0d745546585735cf74b4a725a2641b235bb5ca76357126731c3f0ff": "",
    "96991e0786779c045b3f57e3ef981e7165edb0db1f82bddb8c33c00b7d1f8ee9": "",
    "f74588d1ab15130d789927c12e9376017ec4079282e2241bac2950ed01fbeb04": "",
    # numerics/singular_threshold.py and graph/markov_consensus.py: a partial search from more columns; rmsc and emvc to
    # 4e-6 on digits and 1e-4 on 3sources, labels of all starts the same; imsc-agl to the last bit
    "9770141b2063110600c77c18facdf412420968b065f7d78c5769b1a0fbfed398": (
        "e59afa9fbfb18570a8b2e857a0f056fd765f3ca02e6ee5c052fc273f9473442f"
    ),
    "e5c2faad53ec599617465559a45dd78ec253d93a91f0e5083bfefb899249aa70": (
        "73c05dbace9bf76e478e449d8d9e330df7f182f9bf959173c765d6957e3eb5d7"
    ),
}
