import { expect, test } from 'vitest'
import { listVersions } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import type { Document } from '#server/domain/documents/document.ts'
import { Reason } from '#server/domain/signing/session/signing-session.ts'
import { after, days, seconds } from '#server/domain/time.ts'
import { rejectSigning } from '#server/features/rejections/reject-signing.ts'
import { cancelSigningSession } from '#server/features/signing-sessions/cancel-signing-session.ts'
import { createSigningSession } from '#server/features/signing-sessions/create-signing-session.ts'
import { expireSigningSessions } from '#server/features/signing-sessions/expire-signing-sessions.ts'
import { extendSigningSession } from '#server/features/signing-sessions/extend-signing-session.ts'
import { openSigningSession } from '#server/features/signing-sessions/open-signing-session.ts'
import { findByCode } from '#server/features/verification/find-by-code.ts'
import { findByDigest } from '#server/features/verification/find-by-digest.ts'
import { proveSigning } from '#server/features/verification/prove-signing.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { stranger } from '#tests/support/builders.ts'
import { aCeremony, sessionOf, signInSession } from '#tests/support/office/ceremonies.ts'
import { onEachSigningSystem } from '#tests/support/office/signing-system.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

const reason = Reason.parse('El comprador desistió')

/** A notary with a draft, and a draft session on it with two signers. */
async function aDraftSession(system: TestSystem) {
  const scene = await aCeremony(system, [1, 2])
  const deadline = after(system.clock.now(), days(3))
  const asked = scene.parties.map((party) => party.asked)
  const { id } = await createSigningSession(
    system,
    scene.person,
    sessionOf([scene.document], asked, { deadline }),
  )
  return { ...scene, signingSessionId: id }
}

/** The answers of each public address, for a document of which no version was complete. */
async function publicAnswers(system: TestSystem, document: Document) {
  system.wait(seconds(6))
  const { id, verificationCode: code } = document
  const page = await readVerification(system, stranger(), { id })
  const proof = await proveSigning(system, stranger(), { id }).catch((error) => error.code)
  const found = await findByCode(system, stranger(), { code })
  const digests = []
  for (const { sha256 } of await listVersions(system.db, id))
    digests.push(await findByDigest(system, stranger(), { sha256 }))
  const progress = page.kind === 'unfinished' ? page.progress : page.kind
  return { progress, proof, code: found, isKnownFile: digests.some((one) => one !== undefined) }
}

const UNKNOWN = {
  ...{ progress: 'not-found', proof: 'not-found', code: undefined, isKnownFile: false },
}
const beingSigned = ({ id }: Document) => ({
  ...{ progress: 'being-signed', proof: 'being-signed', code: id, isKnownFile: false },
})
const ended = ({ id }: Document) => ({
  ...{ progress: 'ended', proof: 'never-completed', code: id, isKnownFile: false },
})

onEachSigningSystem('public look-up of a document that is not complete', (system) => {
  const answers = (document: Document) => publicAnswers(system(), document)

  test('draft: unknown, in a draft session too', async () => {
    const { document } = await aDraftSession(system())
    expect(await answers(document)).toEqual(UNKNOWN)
  })

  test('open session: being signed, with some of its signatures too, until it is complete', async () => {
    const { document, person, parties, signingSessionId } = await aDraftSession(system())
    await openSigningSession(system(), person, { signingSessionId })
    expect(await answers(document)).toEqual(beingSigned(document))
    await signInSession(system(), parties[0]!, document, 2)
    expect(await answers(document)).toEqual(beingSigned(document))
    await signInSession(system(), parties[1]!, document, 3)
    system().wait(seconds(6))
    const page = await readVerification(system(), stranger(), { id: document.id })
    expect(page).toMatchObject({ kind: 'found', report: { verdict: 'VALID' } })
    const known = []
    for (const { version, sha256 } of await listVersions(system().db, document.id))
      if (await findByDigest(system(), stranger(), { sha256 })) known.push(version)
    expect(known).toEqual([4])
  })

  test.each([0, 1])('cancelled with %i signatures: not completed', async (signatures) => {
    const { document, person, parties, signingSessionId } = await aDraftSession(system())
    await openSigningSession(system(), person, { signingSessionId })
    if (signatures > 0) await signInSession(system(), parties[0]!, document, 2)
    await cancelSigningSession(system(), person, { signingSessionId, reason })
    const { state } = (await findDocument(system().db, document.id))!
    expect(state).toBe(signatures > 0 ? 'cancelled' : 'draft')
    expect(await answers(document)).toEqual(ended(document))
  })

  test('rejected: not completed', async () => {
    const { document, person, parties, signingSessionId } = await aDraftSession(system())
    await openSigningSession(system(), person, { signingSessionId })
    await signInSession(system(), parties[0]!, document, 2)
    await rejectSigning(system(), parties[1]!.person, { signingSessionId, reason })
    expect((await findDocument(system().db, document.id))!.state).toBe('rejected')
    expect(await answers(document)).toEqual(ended(document))
  })

  test('expired: not completed from the deadline on; being signed again after an extension', async () => {
    const { document, person, signingSessionId } = await aDraftSession(system())
    await openSigningSession(system(), person, { signingSessionId })
    system().wait(days(3))
    expect(await answers(document)).toEqual(ended(document))
    await expireSigningSessions(system())
    expect(await answers(document)).toEqual(ended(document))
    const deadline = after(system().clock.now(), days(1))
    await extendSigningSession(system(), person, { signingSessionId, deadline })
    expect(await answers(document)).toEqual(beingSigned(document))
  })

  test('not complete: views are in the log like those of others, once a network and hour', async () => {
    const { document, person, signingSessionId } = await aDraftSession(system())
    await openSigningSession(system(), person, { signingSessionId })
    await answers(document)
    await answers(document)
    const log = await system().log()
    const views = log.filter(({ action }) => action === 'document.verified')
    expect(views).toMatchObject([{ actor: { kind: 'anonymous' }, subject: { id: document.id } }])
  })
})
