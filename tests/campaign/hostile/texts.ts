import type { Random } from '#tests/fuzz/random.ts'

const repeated = (text: string, times: number) => text.repeat(times)

/** Texts that have broken readers of forms, addresses, mails, logs and databases. */
const TEXTS: readonly string[] = [
  ...['', ' ', '\0', 'a\0b', '\r\n', '\r\nSet-Cookie: a=b', '\u2028', '\ufeff', '\ud800', '\udfff'],
  ...['__proto__', 'constructor', 'toString', 'hasOwnProperty', '__defineGetter__'],
  ...['null', 'undefined', 'NaN', 'Infinity', '-0', '1e999', '0x10', '9007199254740993'],
  ...['-1', '2147483648', '99999999999999999999', '1.5', '٣', '１', '𝟙'],
  ...["' or 1=1 --", '"; drop table users; --', '\\', '%', '_', '%%%%', '*', '$1', '?', ':a'],
  ...[
    '<script>alert(1)</script>',
    '"><img src=x onerror=alert(1)>',
    'javascript:alert(1)',
    '{{7*7}}',
  ],
  ...[
    '../../etc/passwd',
    '..\\..\\windows',
    'file:///etc/passwd',
    '/dev/zero',
    'CON',
    'a'.repeat(300),
  ],
  ...['=cmd|calc!A0', '@SUM(1)', '`id`', '$(id)', '; id', '%{(#a)}', '$' + '{jndi:ldap://x}'],
  ...[
    'http://169.254.169.254/',
    'http://[::1]:22/',
    'http://0/',
    'https://a:b@c/',
    '//evil.example',
  ],
  ...['á́́́́', 'ﷺ', 'ǰ'.repeat(200), '\u202egnp.exe', '👩‍👩‍👧‍👦'.repeat(50), 'İ', 'ß', 'ﬃ'],
  ...[
    'a@b',
    'a@'.repeat(2_000),
    `${repeated('a.', 3_000)}@b.mx`,
    `"${repeated('\\"', 2_000)}"@b.mx`,
  ],
  ...[repeated('a', 5_000), repeated('a', 60_000), repeated(' ', 40_000), repeated('ñ', 30_000)],
  ...[
    `${repeated('a', 30_000)}!`,
    repeated('1', 20_000),
    repeated('-', 20_000),
    repeated('\n', 20_000),
  ],
  ...['00000000-0000-4000-8000-000000000000', '2026-02-30', '2026-11-23T25:61:61Z', '9999-12-31'],
]

export const aText = (random: Random): string => random.pick(TEXTS)

const JSON_TEXTS: readonly string[] = [
  ...['', ' ', '{', '}', '[', 'null', 'true', '0', '"a"', '[]', '{}', '{"a":}', '{"a":1,"a":2}'],
  ...[
    '{"__proto__":{"isAdmin":true}}',
    '{"constructor":{"prototype":{}}}',
    '\ufeff{}',
    '{}{}',
    "{'a':1}",
  ],
  ...[
    '{"a":1e400}',
    '{"a":-0}',
    '{"a":1.0000000000000000000000001}',
    '{"a":"\\ud800"}',
    '{"a":"\\u0000"}',
  ],
  ...[
    `${repeated('[', 20_000)}${repeated(']', 20_000)}`,
    repeated('[', 60_000),
    repeated('{"a":', 10_000),
  ],
  ...[
    `{"a":"${repeated('a', 60_000)}"}`,
    `{${repeated('"a":1,', 8_000)}"b":2}`,
    `[${repeated('0,', 25_000)}0]`,
  ],
  ...[
    `{"a":${repeated('9', 50_000)}}`,
    '{"a":"\t"}',
    '// no\n{}',
    '{"a":1,}',
    'NaN',
    '{"a":undefined}',
  ],
]

/** Names of fields of forms and calls, so that some values are read. */
const NAMES: readonly string[] = [
  ...['csrf', 'intent', 'email', 'password', 'code', 'title', 'kind', 'file', 'version', 'reason'],
  ...['certificate', 'privateKey', 'consent', 'document', 'userId', 'character', 'step', 'theme'],
  ...['newPassword', 'confirmPassword', 'currentPassword', 'name', 'url', 'returnUrl', 'deadline'],
  ...[
    'firstName',
    'lastName',
    'rfc',
    'curp',
    'role-CLERK',
    'signature',
    'preparedId',
    'token',
    'answer',
  ],
]

export const aName = (random: Random): string =>
  random.below(4) === 0 ? aText(random).slice(0, 200) : random.pick(NAMES)

/** JSON that is wrong, or right and of another shape than any call takes. */
export function aJson(random: Random): string {
  if (random.below(2) === 0) return random.pick(JSON_TEXTS)
  const value = (depth: number): unknown => {
    const kind = random.below(depth > 3 ? 4 : 6)
    if (kind < 3) return aText(random)
    if (kind === 3) return random.pick([null, true, 0, -1, 1e308, 2 ** 53])
    if (kind === 4) return Array.from({ length: random.below(4) }, () => value(depth + 1))
    return Object.fromEntries(
      Array.from({ length: random.below(6) }, () => [aName(random), value(depth + 1)]),
    )
  }
  const pairs = Array.from({ length: random.below(6) }, () => [aName(random), value(0)])
  return JSON.stringify(Object.fromEntries(pairs))
}
