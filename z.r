1 Q0 D9 1 3 r
1 Q0 D1 2 2 r
1 Q0 D8 3 1 r
2 Q0 D1 1 1 r
