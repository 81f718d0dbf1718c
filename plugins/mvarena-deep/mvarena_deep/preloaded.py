"""What torch imports with its first optimiser: 800 modules, more than a second.

The arena's worker imports a method before it forks for trials, and so spares each of them that second. It stands apart,
as the code of the methods is compared with that of stored results.
"""

import torch

torch.optim.Adam([torch.nn.Parameter(torch.zeros(1))])
