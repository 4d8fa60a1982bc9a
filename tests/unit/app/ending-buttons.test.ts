import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'

const ROOT = path.resolve(import.meta.dirname, '../../..')

const ENDS =
  /^(?:Descartar|Cancelar|Rechazar|Retirar|Revocar|Eliminar|Borrar|Quitar|Suspender)(?![\p{L}])/u

/** What can be undone or done again, by file and label. */
const NOT_ENDING = new Set([
  'documents/numbers/number.tsx Quitar el motivo',
  'documents/views/views-page.tsx Eliminar',
  'signing/sessions/session-documents.tsx Quitar',
  'signing/sessions/signer-actions.tsx Quitar firmante',
  'users/person-locks.tsx Quitar bloqueo',
])

const buttons = globSync('app/routes/**/*.tsx', { cwd: ROOT }).flatMap((file) => {
  const source = readFileSync(path.join(ROOT, file), 'utf8')
  return [...source.matchAll(/<(?:SubmitButton|ActionForm)\b([^>]*)>\s*([^<{]*)/g)].map(
    ([, traits = '', label = '']) => ({
      name: `${path.relative('app/routes', file)} ${label.trim()}`,
      label: label.trim(),
      isRed: /color="bad"|\bisEnding\b/.test(traits),
    }),
  )
})

test('buttons: what ends something for good is red', () => {
  const ending = buttons.filter(({ label }) => ENDS.test(label))
  const plain = ending.filter(({ name, isRed }) => !isRed && !NOT_ENDING.has(name))
  expect(plain.map(({ name }) => name)).toEqual([])
})

test('buttons: those that need not be red exist', () => {
  const names = new Set(buttons.map(({ name }) => name))
  expect([...NOT_ENDING].filter((name) => !names.has(name))).toEqual([])
})
