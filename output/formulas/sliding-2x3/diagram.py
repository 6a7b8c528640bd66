# sliding:2x3: a best move in every state.
# n: the squares row by row from the top as digits in base 6, the blank being 0.
# best_move(n): the blank goes 0 down, 1 left, 2 up, 3 right.
# Made by: tesuji formula sliding:2x3 --family diagram --verify rust,c,python
# Size: 1,656 bits of constants, 951 characters of source. All best moves take 720 bits as a table,
# 792 compressed by zstd, 691 by their entropy.
# verified on 360 of 360 states (rust, c, python)

NODES = 0xbefbefbe8b6eb2baa99c07239640197636df9a50209636257006e27a265a0218187de74071b69960000014e18f0070041d33461514501400840803d55c139340618e4820843c600014a3c854e2424d450008b34634654558d31344524c3132502ca1024891c84902071cc1c61111441060000000410830020000430c20c00820c30800810810400c30400000000000010410420810420020810420030410c30830c00030030000c10800c10010c20c10c30030c10c30c10c10030c00010820410810c00c30c00c00c3081

def best_move(n):
    at = 48
    if at >= 48:
        place = (at - 4) * 6 + (n // 7776 % 6)
        at = NODES >> 6 * place & 63
    if at >= 47:
        place = (at - 4) * 6 + (n // 36 % 6)
        at = NODES >> 6 * place & 63
    if at >= 40:
        place = (at - 4) * 6 + (n // 6 % 6)
        at = NODES >> 6 * place & 63
    if at >= 24:
        place = (at - 4) * 6 + (n % 6)
        at = NODES >> 6 * place & 63
    if at >= 4:
        place = (at - 4) * 6 + (n // 216 % 6)
        at = NODES >> 6 * place & 63
    return at
