function labels = kernel_mean(X, mask, k, width)
% Spectral clustering of the mean Gaussian kernel: entries are averaged over the views that observe both samples.
% X: 1 x V cell of n x d_v matrices; mask: n x V, 1 where observed.
n = size(mask, 1);
total = zeros(n); counts = zeros(n);
for v = 1:numel(X)
  seen = find(mask(:, v));
  Y = X{v}(seen, :);
  sq = sum(Y .^ 2, 2);
  D = max(sq + sq' - 2 * (Y * Y'), 0);
  K = exp(-D / (2 * (width * median(sqrt(D(:)))) ^ 2));
  total(seen, seen) += K;
  counts(seen, seen) += 1;
end
W = total ./ max(counts, 1);
d = sum(W, 2);
L = W ./ sqrt(d * d');
[U, S] = eig((L + L') / 2);
[~, order] = sort(diag(S), 'descend');
U = U(:, order(1:k));
U = U ./ max(sqrt(sum(U .^ 2, 2)), eps);
best = Inf;
for start = 1:10
  [candidate, cost] = plain_kmeans(U, k);
  if cost < best
    best = cost;
    labels = candidate;
  end
end
end

function [labels, cost] = plain_kmeans(U, k)
n = size(U, 1);
centres = U(randperm(n, k), :);
labels = zeros(n, 1);
for iteration = 1:100
  D = sum(U .^ 2, 2) + sum(centres .^ 2, 2)' - 2 * U * centres';
  [nearest, found] = min(D, [], 2);
  if isequal(found, labels), break; end
  labels = found;
  for c = 1:k
    if any(labels == c), centres(c, :) = mean(U(labels == c, :), 1); end
  end
end
cost = sum(nearest);
end
