import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { TotpFactorId } from '#server/domain/ids.ts'
import {
  checkExportedPresence,
  presenceChecker,
} from '#server/domain/signing/check-exported-presence.ts'
import {
  digestOfExport,
  type ExportedKeyPresence,
  exportOf,
  PresenceFile,
  presenceFile,
} from '#server/domain/signing/exported-presence.ts'
import { after, minutes } from '#server/domain/time.ts'
import { MORNING } from '#tests/support/builders.ts'
import {
  type KeySettings,
  softwareAuthenticator,
} from '#tests/support/keys/software-authenticator.ts'
import { aKeyProof } from '#tests/support/office/presence-proofs.ts'

const verdictOf = (settings: Partial<KeySettings>) =>
  checkExportedPresence(exportOf(aKeyProof(settings)))

test('presence proof: a genuine signature of each algorithm is accepted', () => {
  for (const algorithm of [-7, -8, -257] as const)
    expect(verdictOf({ algorithm })).toEqual({ kind: 'genuine', faults: [] })
  // A key that does not count.
  expect(verdictOf({ counter: 0 })).toEqual({ kind: 'genuine', faults: [] })
})

test('an algorithm that we do not know proves nothing', () => {
  expect(verdictOf({ algorithm: -35 }).faults).toEqual(['key'])
})

test('the file survives being written and read', () => {
  const file = presenceFile([exportOf(aKeyProof())])
  const read = PresenceFile.parse(JSON.parse(JSON.stringify(file)))
  expect(read).toEqual(file)
  expect(read.proofs.map((proof) => checkExportedPresence(proof).kind)).toEqual(['genuine'])
})

test('a code can only be believed from the log', () => {
  const factorId = TotpFactorId.parse(randomUUID())
  const proof = aKeyProof()
  const code = { ...proof, means: { method: 'totp' as const, factorId, timeStep: 59_000_000 } }
  expect(checkExportedPresence(exportOf(code))).toEqual({ kind: 'log-only', faults: [] })
})

test('presence proof: missing user presence or verification is reported', () => {
  expect(verdictOf({ isPresent: false }).faults).toContain('user-not-present')
  expect(verdictOf({ isVerified: false }).faults).toContain('user-not-verified')
  expect(verdictOf({ rpId: 'elsewhere.example' }).faults).toEqual(['relying-party'])
  expect(verdictOf({ origin: 'https://elsewhere.example' }).faults).toEqual(['relying-party'])
  expect(verdictOf({ clientData: { crossOrigin: true } }).faults).toEqual(['origin'])
  expect(verdictOf({ clientData: { type: 'webauthn.create' } }).faults).toEqual(['client-data'])
  const evidence = exportOf(aKeyProof())
  expect(checkExportedPresence(evidence, 'https://rubrica.example').faults).toContain('origin')
})

test('no part of it can be changed', () => {
  const evidence = exportOf(aKeyProof())
  const means = evidence.means as ExportedKeyPresence
  const other = exportOf(aKeyProof())
  const flipped = (text: string) => `${text.startsWith('A') ? 'B' : 'A'}${text.slice(1)}`
  const changed = (part: keyof ExportedKeyPresence) =>
    checkExportedPresence({
      ...evidence,
      means: { ...means, [part]: flipped(String(means[part])) } as ExportedKeyPresence,
    }).faults
  expect(changed('nonce')).toEqual(['challenge'])
  expect(changed('challenge')).toEqual(['challenge', 'client-challenge'])
  expect(changed('publicKey')).toEqual(['key'])
  expect(changed('signature')).toEqual(['signature'])
  expect(changed('authenticatorData')).toEqual(['relying-party', 'signature'])
  expect(changed('clientDataJSON')).toContain('signature')
  expect(changed('origin')).toContain('origin')

  const of = (part: object) => checkExportedPresence({ ...evidence, ...part }).faults
  expect(of({ list: other.list })).toEqual(['list-digest', 'other-signer', 'challenge'])
  expect(of({ list: other.list, listSha256: other.listSha256, userId: other.userId })).toEqual([
    'challenge',
  ])
  expect(of({ list: ` ${evidence.list}` })).toContain('list-not-canonical')
  expect(of({ listSha256: other.listSha256 })).toEqual(['list-digest'])
  expect(of({ userId: other.userId })).toEqual(['other-signer'])
  expect(of({ expiresAt: '2026-11-20T16:00:00.000Z' })).toEqual(['life'])
  expect(of({ means: { ...means, counterBefore: 9 } })).toEqual(['counter'])
  expect(digestOfExport({ ...evidence, at: '2026-11-20T15:00:01.000Z' })).not.toBe(
    digestOfExport(evidence),
  )
})

test('a key that counts backwards from one proof to the next is two keys', () => {
  const key = softwareAuthenticator({ counter: 4 })
  const first = aKeyProof({}, MORNING, key)
  const second = aKeyProof({}, after(MORNING, minutes(1)), key)
  const inOrder = [first, second].map(exportOf).map(presenceChecker())
  expect(inOrder.map(({ kind }) => kind)).toEqual(['genuine', 'genuine'])
  const swapped = [
    { ...second, at: first.at, expiresAt: first.expiresAt },
    { ...first, at: second.at, expiresAt: second.expiresAt },
  ]
  const faults = swapped.map(exportOf).map(presenceChecker())
  expect(faults.map((verdict) => verdict.faults)).toEqual([[], ['counter']])
})
