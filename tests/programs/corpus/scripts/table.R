# SPDX-License-Identifier: Apache-2.0
# Sorts and groups.
library(data.table)
setDTthreads(as.integer(commandArgs(TRUE)[1]))
n <- 2e6
d <- data.table(a = (1:n * 7919) %% 1009, b = (1:n * 31) %% 7, c = (1:n) %% 13 / 7)
print(d[order(a, b, c)][c(1, 1000, 777777, n)])
print(d[, .(m = mean(c), s = sum(c)), by = b][order(b)])
