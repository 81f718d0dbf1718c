# Hierarchical clustering of the mean distance: each view's distances are divided by their median and averaged over the
# views that observe both samples. A sample that a view misses is a row of NaN there.
arguments <- commandArgs(trailingOnly = TRUE)
folder <- arguments[1]
settings <- read.csv(file.path(folder, "settings.csv"), header = FALSE, colClasses = "character")
setting <- function(name) settings[settings[[1]] == name, 2]

total <- 0
count <- 0
for (v in seq_len(as.integer(setting("n_views")))) {
  X <- as.matrix(read.csv(file.path(folder, sprintf("X%d.csv", v)), header = FALSE))
  seen <- !is.na(X[, 1])
  D <- matrix(0, nrow(X), nrow(X))
  D[seen, seen] <- as.matrix(dist(X[seen, ]))
  D <- D / median(D[D > 0])
  total <- total + D
  count <- count + outer(seen, seen)
}
average <- total / pmax(count, 1)
average[count == 0] <- max(average) # no view observes both
tree <- hclust(as.dist(average), method = setting("param.linkage"))
writeLines(as.character(cutree(tree, k = as.integer(setting("n_clusters")))), arguments[2])
