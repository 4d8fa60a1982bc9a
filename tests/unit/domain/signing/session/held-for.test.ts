import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { DocumentVersion } from '#server/domain/documents/document-version.ts'
import { DocumentId, SignerId, SigningSessionId } from '#server/domain/ids.ts'
import type { Ceremony } from '#server/domain/signing/session/ceremony.ts'
import { heldFor, versionsInSession } from '#server/domain/signing/session/held-for.ts'
import type { Signer } from '#server/domain/signing/session/signer.ts'
import { SigningSession } from '#server/domain/signing/session/signing-session.ts'
import { after, days } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'

const documentId = DocumentId.parse(randomUUID())
const signingSessionId = SigningSessionId.parse(randomUUID())
const DEADLINE = after(MORNING, days(1))

const signer = (place: number, changes: Partial<Signer> = {}): Signer =>
  ({
    id: SignerId.parse(randomUUID()),
    signingSessionId,
    place,
    step: place,
    state: 'pending',
    ...changes,
  }) as Signer

function ceremonyOf(
  signers: readonly Signer[],
  signed: readonly Signer[] = [],
  state = 'open',
): Ceremony {
  const session = SigningSession.parse({
    id: signingSessionId,
    officeId: randomUUID(),
    title: 'Compraventa',
    message: null,
    deadline: DEADLINE,
    state,
    stateSince: MORNING,
    stateBy: null,
    stateReason: null,
    createdAt: MORNING,
    createdBy: randomUUID(),
    act: null,
  })
  const documents = [
    {
      id: documentId,
      completedVersion: null,
      baseVersion: 2,
      fields: ['Firmante-1', 'Firmante-2'],
    },
  ]
  const signedBy = new Map([[documentId, new Set(signed.map(({ id }) => id))]])
  return { session, documents, signers, signedBy }
}

const [first, second] = [signer(1), signer(2)]

test('each signer sees their pending documents in order', () => {
  const ceremony = ceremonyOf([first, second])
  expect(heldFor(ceremony, first, documentId, MORNING)).toBe('now')
  expect(heldFor(ceremony, second, documentId, MORNING)).toBe('waiting')
  const later = ceremonyOf([first, second], [first])
  expect(heldFor(later, first, documentId, MORNING)).toBe('signed')
  expect(heldFor(later, second, documentId, MORNING)).toBe('now')
})

test.each(['completed', 'rejected', 'cancelled', 'expired'])(
  'in a session that is %s only its signers keep documents',
  (state) => {
    const ceremony = ceremonyOf([first, second], [first], state)
    expect(heldFor(ceremony, first, documentId, MORNING)).toBe('signed')
    expect(heldFor(ceremony, second, documentId, MORNING)).toBe('nothing')
  },
)

test('a signer waits no longer after the deadline or a replacement', () => {
  expect(heldFor(ceremonyOf([first]), first, documentId, DEADLINE)).toBe('nothing')
  const gone = signer(1, { state: 'replaced' })
  expect(heldFor(ceremonyOf([gone]), gone, documentId, MORNING)).toBe('nothing')
})

const version = (number: number, cause: string, by: Signer | null = null) =>
  DocumentVersion.parse({
    documentId,
    officeId: randomUUID(),
    version: number,
    sha256: String(number).repeat(64).slice(0, 64),
    bytes: 1,
    pages: 1,
    cause,
    by: null,
    signer: by?.id ?? null,
    at: MORNING,
    fileName: 'a.pdf',
    signaturesBrought: 0,
  })

const numbers = (versions: readonly DocumentVersion[]) => versions.map((one) => one.version)

test('guest: sees the versions of the session only', () => {
  const other = signer(1)
  const versions = [
    version(1, 'uploaded'),
    version(2, 'restored'),
    version(3, 'prepared'),
    version(4, 'signed', first),
    version(5, 'signed', second),
    version(6, 'archived'),
    version(7, 'signed', other),
    version(8, 'archived'),
  ].toReversed()
  const ceremony = ceremonyOf([first, second], [first, second], 'completed')
  expect(numbers(versionsInSession(ceremony, versions))).toEqual([6, 5, 4, 3, 2])
  expect(numbers(versionsInSession(ceremony, versions.slice(-3)))).toEqual([3, 2])
})

test('a sheet of a later session is not theirs', () => {
  const versions = [
    version(2, 'uploaded'),
    version(3, 'prepared'),
    version(4, 'restored'),
    version(5, 'prepared'),
  ].toReversed()
  expect(numbers(versionsInSession(ceremonyOf([first]), versions))).toEqual([3, 2])
})

test('a document that the session does not hold has none', () => {
  const ceremony = { ...ceremonyOf([first]), documents: [] }
  expect(versionsInSession(ceremony, [version(2, 'uploaded')])).toEqual([])
})
