import { expect, test } from 'vitest'
import {
  checkFirstTotp,
  checkTotp,
  readTotpCode,
  type TotpMemory,
  totpSecretText,
  totpUri,
} from '#server/domain/identity/totp.ts'
import { after, type Duration, type Instant, instantOf, seconds } from '#server/domain/time.ts'
import { judge } from '#tests/support/judges.ts'
import { codeAt } from '#tests/support/keys/authenticator-app.ts'

/* RFC 6238, appendix B: the secret of the SHA-1 rows, and the last six of their eight digits. */
const secret = new TextEncoder().encode('12345678901234567890')
const fresh: TotpMemory = { lastStep: 0, drift: seconds(0) }
const START = instantOf(1_800_000_000_000)
const at = (second: number) => after(START, seconds(second))

test.each([
  [59, '287082'],
  [1_111_111_109, '081804'],
  [1_111_111_111, '050471'],
  [1_234_567_890, '005924'],
  [2_000_000_000, '279037'],
  [20_000_000_000, '353130'],
])('RFC 6238: the code of second %i is %s', (second, code) => {
  const now = instantOf(second * 1000)
  expect(checkTotp(secret, code, now, fresh)).toMatchObject({ kind: 'right' })
  expect(codeAt(secret, now)).toBe(code)
})

test('oathtool says the same', () => {
  const oathtool = judge('oathtool')
  const random = crypto.getRandomValues(new Uint8Array(20))
  for (const second of [0, 29, 30, 86_400, 123_456_789]) {
    const now = `--now=${new Date(at(second)).toISOString().replace('T', ' ').replace('.000Z', ' UTC')}`
    const { output } = oathtool('--totp', '--base32', now, totpSecretText(random))
    expect(checkTotp(random, output.trim(), at(second), fresh)).toMatchObject({ kind: 'right' })
  }
})

test.each([
  ['as it appears', 0, 'right'],
  ['in its last second', 29.9, 'right'],
  ['ten seconds after it went', 39, 'right'],
  ['five seconds before it comes', -5, 'right'],
])('a code %s counts', (_, second, kind) => {
  expect(checkTotp(secret, codeAt(secret, at(0)), at(second), fresh).kind).toBe(kind)
})

test.each([
  ['eleven seconds after it went', 41, 'clock'],
  ['ten minutes old', 600, 'clock'],
  ['older', 661, null],
  // An attacker must not learn which code will be valid.
  ['six seconds early', -6, null],
  ['a minute early', -60, null],
])('a code %s is refused', (_, second, hint) => {
  expect(checkTotp(secret, codeAt(secret, at(0)), at(second), fresh)).toEqual({
    kind: 'wrong',
    hint,
  })
})

test('a code counts once, and none before it any more', () => {
  const first = taken(codeAt(secret, at(30)), at(30), fresh)
  expect(checkTotp(secret, codeAt(secret, at(30)), at(31), first)).toEqual({
    kind: 'wrong',
    hint: 'replayed',
  })
  expect(checkTotp(secret, codeAt(secret, at(0)), at(35), first)).toEqual({
    kind: 'wrong',
    hint: 'replayed',
  })
  expect(checkTotp(secret, codeAt(secret, at(60)), at(60), first).kind).toBe('right')
  // The clock of the server was set back: nothing that could be found is new.
  expect(checkTotp(secret, codeAt(secret, at(0)), at(0), { ...first, lastStep: 1e9 })).toEqual({
    kind: 'wrong',
    hint: 'replayed',
  })
})

test('a wrong code, and one of another secret, are wrong', () => {
  const right = codeAt(secret, at(0))
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0')
  expect(checkTotp(secret, wrong, at(0), fresh)).toEqual({ kind: 'wrong', hint: null })
  expect(checkTotp(new Uint8Array(20).fill(9), right, at(0), fresh).kind).toBe('wrong')
})

/** Codes of a device whose clock is `off`, each typed `typing` seconds after it was read. */
function use(device: { off: number; typing: number }, minutes: number[], memory: TotpMemory) {
  return minutes.reduce((known, minute) => {
    const read = minute * 60 + ((minute * 7) % 30)
    const verdict = checkTotp(
      secret,
      codeAt(secret, at(read + device.off)),
      at(read + device.typing),
      known,
    )
    return verdict.kind === 'right' ? verdict.memory : known
  }, memory)
}

test('a clock that goes wrong slowly is followed, up to a minute', () => {
  for (const direction of [1, -1]) {
    let memory = fresh
    for (let minute = 0; minute < 600; minute += 1)
      memory = use({ off: direction * Math.min(55, minute / 8), typing: 3 }, [minute], memory)
    expect(memory.lastStep).toBeGreaterThan((START + 598 * 60_000) / 30_000 - 4)
    expect(Math.abs(memory.drift)).toBeLessThanOrEqual(60_000)
    expect(Math.sign(memory.drift)).toBe(direction)
  }
})

test('TOTP: slow typing does not move the remembered clock', () => {
  const memory = use({ off: 0, typing: 34 }, [1, 2, 3, 4, 5, 6, 7, 8], fresh)
  const set = checkTotp(secret, codeAt(secret, at(1200)), at(1202), memory)
  expect(set).toMatchObject({ kind: 'right' })
})

test('a clock that was off and is set right works at once', () => {
  for (const off of [-60, 60]) {
    const memory = { lastStep: 0, drift: seconds(off) }
    const verdict = checkTotp(secret, codeAt(secret, at(0)), at(2), memory)
    expect(verdict).toMatchObject({ kind: 'right' })
    if (verdict.kind === 'right') expect(Math.abs(verdict.memory.drift)).toBeLessThanOrEqual(33_000)
  }
})

test('a new device may be a step off, and is remembered so', () => {
  expect(checkFirstTotp(secret, codeAt(secret, at(-25)), at(0))).toMatchObject({ kind: 'right' })
  const ahead = checkFirstTotp(secret, codeAt(secret, at(30)), at(1))
  expect(ahead).toMatchObject({ kind: 'right', memory: { drift: 29_000 } })
  if (ahead.kind === 'right')
    expect(checkTotp(secret, codeAt(secret, at(119)), at(90), ahead.memory).kind).toBe('right')
  expect(checkFirstTotp(secret, codeAt(secret, at(-120)), at(0))).toEqual({
    kind: 'wrong',
    hint: 'clock',
  })
  expect(checkFirstTotp(secret, codeAt(secret, at(-3600)), at(0))).toEqual({
    kind: 'wrong',
    hint: null,
  })
})

test.each([
  ['123456', '123456'],
  [' 123 456 ', '123456'],
  ['123-456', '123456'],
  ['12345', undefined],
  ['1234567', undefined],
  ['12345a', undefined],
  ['١٢٣٤٥٦', undefined],
  ['', undefined],
])('%j is read as %j', (typed, code) => {
  expect(readTotpCode(typed)).toBe(code)
})

test('TOTP: the otpauth address contains every parameter', () => {
  const uri = new URL(totpUri(secret, 'Rúbrica: Notaría 12', 'ximena@notaria.example'))
  expect(uri.protocol).toBe('otpauth:')
  expect(uri.searchParams.get('secret')).toBe('GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ')
  expect(uri.searchParams.get('issuer')).toBe('Rúbrica: Notaría 12')
})

function taken(code: string, now: Instant, memory: TotpMemory): TotpMemory {
  const verdict = checkTotp(secret, code, now, memory)
  if (verdict.kind === 'wrong') throw new Error('the code is right')
  return verdict.memory
}

test('TOTP: remembers whole seconds', () => {
  const drift: Duration = taken(codeAt(secret, at(30)), instantOf(at(25) + 123), fresh).drift
  expect(Number.isInteger(drift / 1000)).toBe(true)
})
