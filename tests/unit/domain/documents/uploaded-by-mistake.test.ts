import { expect, test } from 'vitest'
import { cancellingAction, isPurgeable } from '#server/domain/documents/uploaded-by-mistake.ts'
import { UserId } from '#server/domain/ids.ts'

const ANA = UserId.parse('4a3b2c1d-0000-4000-8000-000000000001')
const IVAN = UserId.parse('4a3b2c1d-0000-4000-8000-000000000002')

test.each([
  ['the own upload', ANA, false, 'document.withdraw-own'],
  ['the own upload that was sent to be signed', ANA, true, 'document.cancel'],
  ['the upload of another user', IVAN, false, 'document.cancel'],
  ['an upload, by an external signer', undefined, false, 'document.cancel'],
] as const)(
  'cancelling: asks for the right of the actor, of %s',
  (_, userId, wasSentToSign, action) => {
    expect(cancellingAction({ createdBy: ANA }, userId, { wasSentToSign })).toBe(action)
  },
)

const PURGED = { at: 0, by: ANA } as Parameters<typeof isPurgeable>[0]['purged']

const UPLOADS = [{ cause: 'uploaded' }, { cause: 'uploaded' }] as const

test('purge: of a draft whose file was replaced, as long as every version is an upload', () => {
  const draft = { state: 'draft', version: 2, purged: null } as const
  const past = { wasSentToSign: false, versions: UPLOADS }
  expect(isPurgeable(draft, past)).toBe(true)
  const prepared = [{ cause: 'uploaded' }, { cause: 'prepared' }] as const
  expect(isPurgeable(draft, { ...past, versions: prepared })).toBe(false)
})

test.each([
  ['a draft', { state: 'draft', version: 1, purged: null }, false, true],
  ['a cancelled draft', { state: 'cancelled', version: 1, purged: null }, false, true],
  ['a signed document', { state: 'signed', version: 2, purged: null }, false, false],
  [
    'a document that someone signed',
    { state: 'cancelled', version: 2, purged: null },
    false,
    false,
  ],
  [
    'a document that was sent to be signed',
    { state: 'cancelled', version: 1, purged: null },
    true,
    false,
  ],
  ['a purged document', { state: 'cancelled', version: 1, purged: PURGED }, false, false],
] as const)('purge: of %s', (_, document, wasSentToSign, wanted) => {
  expect(isPurgeable(document, { wasSentToSign, versions: UPLOADS.slice(0, 1) })).toBe(wanted)
})
