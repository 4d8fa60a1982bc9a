/**
 * A PKCS#12 file as programs made them until 2021: its certificate under RC2 with 40 bits, its key under 3DES.
 * Kept as bytes, because OpenSSL makes no more of them without its legacy provider. Made by
 * `openssl pkcs12 -export -legacy`; the key signs nothing but tests.
 */
export const RC2_PKCS12 = Buffer.from(
  'MIIF+QIBAzCCBb8GCSqGSIb3DQEHAaCCBbAEggWsMIIFqDCCAqcGCSqGSIb3DQEHBqCCApgwggKUAgEAMIICjQYJKo' +
    'ZIhvcNAQcBMBwGCiqGSIb3DQEMAQYwDgQIWo+DBjEUpecCAggAgIICYMQEFi/vfk/ZK6/Y7qPkNo3dVUhHuVpmO+Z7' +
    'xgC4puVrP+PpAuXiIDK2ka5DYTADDCP31kD47HDwPCidQs6UN4O1bsvwoa1jTdvtjfNPtg1GP7pbifI0Ymo3iSg0/+' +
    'A8cgLQtiGaelLDjOx6uRY66XEcJEFkeon/ENbVBGaKJf20tjRMPnu1NnEjxxGEx0iyUaHhyR/M+/3uRvWTvMN2jDwU' +
    'oDROzI9uCA6q5NNcKbz8keVugvDZgF9oCxNdfMfY14AynXaRsu6po8kdT297XbD5Y0gLD766MVz/4tTLBSbsnBRBZf' +
    'H7pkWVUDbCKSzJn9g/EI/xEcJzxL+cCkHCZWvuH5LbZYwmgeuFWUJLxWhlmsrjperix/mYT/Z/5teMQX7Bdzv8IvMt' +
    'lu69PG07O4JEvaimIKQ1nWlVu9excWPpiJEKw7oDbf+DZn21rxnO/ifuwtf8mnO89xdXLu16Um/y5tjrbD0ofuLsQb' +
    'EYEClMjbOz+uluJx2iZ+BDEHB+dU6LjxQ+QxYRQt5JtmvzFvieaAq1TR8HdQ6+TcxTroaU8eHQw7uNJCxWCU8NQD54' +
    '1FI6T7QGkkTARRAB5fz6JB4EJ2Wzqia47w7MBMlO4Xs8+tvI8DJqvz52H+W/+xKDFc2OKNn9MzMSRkoGrHMFipOgpi' +
    'icadeMjW0FaGkHiz7p7xeSZOyDULS2bTTbsulNXfQfA/RG8vgRyRDveqPrgMj7kO5i/p8ebIB6zQu19hKGsl0iqB1b' +
    'l9mP06NqwEcMcB3fJKxgg1SVgw7Og/1KabQu0qioFsyFfK3/JiwxvYcXMIIC+QYJKoZIhvcNAQcBoIIC6gSCAuYwgg' +
    'LiMIIC3gYLKoZIhvcNAQwKAQKgggKmMIICojAcBgoqhkiG9w0BDAEDMA4ECNCzgWxkO7HmAgIIAASCAoA5IowOSKpL' +
    'Fwja6UT7KcD2qCL65oQpKUzcz1hNNmFK2A2WzvEKGB0j+o31j0/haXJAX3C3fpPi5MJoUVztHf+RSayybv3nTHSt3T' +
    'SweyjzdA+i6qa1dvmH7F4AipJ+9aAfWWvFqOd+bxam0tc9Ki1whD4A5HDhjyb9KkaqxHoWDMA28j9w86cCk3aVajsV' +
    'zIUr6uC2P70xfTjShntLIexkRR7wk5s5OGMr3z46+pspXogd71BG3oPVNTHTXzGn+5oqoZstX2WSs+WTc36vH9SCOX' +
    'FRhMFi4OQzbsBWfNM9ve/Sj1MtE9hKPQmvH37QzNsZTVPm1SyF3d+lJucB03kIuP4ApJegoeV5D9is9YSPJI5MBCt2' +
    'oHBipHpXBjQNf0/Zy7j747ROAdNy/l0Lkxwc4oZWjyRgiUjU+7u2ciNCJjxUcPyI24okVK/G9FlyXDXnqz77mnsWbQ' +
    '6OaC6xRFPFTfvi3ChLXtWjhf8UFXp30+OHZVGUoVv9b7H1v1sWkshTNvV8xeJXov8FkUtPxaMX2Os5t1iJk5qiCKZg' +
    '4RRvY+1haqBCydPTFVyQQpuLjTnjacfYiNcYraprPFfK1qRTQbXgi9gT8jrrjMT80yQ2DAvwWV92SlpHJNFWSK0B+F' +
    'VNFAOtCPMVPZAwC5L4S8e/WzkqvuwrYm5T6Cdjycju74mIkb5D0ZiEAMbdRrMwzej7ZSZ/7AIvFr3bmcMiK1l0eGRG' +
    '/XOHUJvByku3BR5DgTwu2IkQKT8R26MDtEgaTiEasSiVch52gDc6Gf6+je56vy/q2G6g8ZLlzQfEDpJF4kQOd0JmkJ' +
    '5xZS1sAPey8kWWLfteLT1M5DQ2a6oLawUDMSUwIwYJKoZIhvcNAQkVMRYEFDPv14sPR96sgoK1o5Xd60nEWJ3NMDEw' +
    'ITAJBgUrDgMCGgUABBRUD5Gg69HwAJDzgYmKG0wlQv5aFgQIkKdLlAAqk0oCAggA',
  'base64',
)
export const RC2_PKCS12_PASSWORD = 'clave-1998'
