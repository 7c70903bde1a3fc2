% SPDX-License-Identifier: Apache-2.0
% Products, a decomposition and eigenvalues.
A = reshape(mod((1:640000) * 7919, 1009), 800, 800) / 1009;
B = A * A';
[L, U, P] = lu(A + 800 * eye(800));
e = sort(abs(eig(A(1:300, 1:300) + A(1:300, 1:300)')));
printf("%.9g %.9g %.9g\n", norm(B, 1), sum(log(abs(diag(U)))), sum(e));
