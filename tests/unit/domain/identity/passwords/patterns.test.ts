import { expect, test } from 'vitest'
import { type KnownWords, patternOf } from '#server/domain/identity/passwords/patterns.ts'

const NONE: KnownWords = { common: new Set(), own: new Set() }
const KNOWN: KnownWords = {
  common: new Set(['password', 'contrasena', 'bienvenido', 'virgendeguadalupe', 'amigo', 'rosa']),
  own: new Set(['notaria', 'monterrey']),
}

test.each([
  ['aaaa bbbb cccc dddd eeee', 'repeated'],
  ['aaaa eeee iiii oooo uuuu', 'repeated'],
  ['xyz xyz xyz xyz xyz', 'repeated'],
  ['ciprés ciprés ciprés', 'repeated'],
  ['jacaranda jacaranda', 'repeated'],
  ['jacaranda.jacaranda.1', 'repeated'],
  ['............................', 'repeated'],
  ['😀😀😀😀😀😀😀😀😀😀😀😀😀😀😀', 'repeated'],
  ['abcdefghijklmnop', 'sequence'],
  ['zyxwvutsrqponmlk', 'sequence'],
  ['a1b2c3d4e5f6g7h8i9', 'sequence'],
  ['qwertyuiopasdfgh', 'keyboard'],
  ['QWERTY asdfgh zxcvbn', 'keyboard'],
  ['1qaz2wsx3edc4rfv', 'keyboard'],
  ['1q2w3e4r5t6y7u8i', 'keyboard'],
  ['1985 1987 2001 2026', 'dates'],
])('%s follows a pattern without any list: %s', (password, pattern) => {
  expect(patternOf(password, NONE)).toBe(pattern)
})

test.each([
  ['Password123456789!', 'sequence'],
  ['P@$$w0rd Passw0rd', 'repeated'],
  ['drowssap drowssap', 'repeated'],
  ['contraseña-contraseña', 'repeated'],
  ['bienvenido bienvenido', 'repeated'],
  ['Bienvenidos 2026!', 'too-common'],
  ['virgendeguadalupe1531', 'too-common'],
  ['Virgen de Guadalupe 1531', 'too-common'],
  ['password contraseña', 'too-common'],
  ['notaria-monterrey-7', 'own-words'],
])('%s is made of known words: %s', (password, pattern) => {
  expect(patternOf(password, KNOWN)).toBe(pattern)
})

test.each([
  'amigo rosa bienvenido',
  'password en un ciprés',
  'tortuga verde sobre el tejado',
  'zorro lápiz 9añ',
  'abcdef y después nada más',
  'ñandú ✓ 𝔘nicode',
  'hV7-qkT2-wZ9r-Lm3x',
  'jacaranda jacaranda de mayo',
  'desde las redes de ayer',
])('%s holds more than a pattern', (password) => {
  expect(patternOf(password, KNOWN)).toBeUndefined()
})

test('pattern: the longest password takes little time', () => {
  const started = performance.now()
  for (const password of ['ab'.repeat(64), 'a1!'.repeat(42), 'x'.repeat(128)])
    patternOf(password, KNOWN)
  expect(performance.now() - started).toBeLessThan(2_000)
})
