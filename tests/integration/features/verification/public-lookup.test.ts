import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { Instrument } from '#server/domain/documents/instrument.ts'
import { verificationCodeFrom } from '#server/domain/documents/verification-code.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { DocumentId } from '#server/domain/ids.ts'
import { minutes, seconds } from '#server/domain/time.ts'
import { readDocument } from '#server/features/documents/read-document.ts'
import { uploadDocument } from '#server/features/documents/upload-document.ts'
import { readEvidence } from '#server/features/evidence/read-evidence.ts'
import { prepareSignature } from '#server/features/signatures/prepare-signature.ts'
import { readSigning } from '#server/features/signatures/read-signing.ts'
import { findByCode } from '#server/features/verification/find-by-code.ts'
import { findByDigest } from '#server/features/verification/find-by-digest.ts'
import { proveSigning } from '#server/features/verification/prove-signing.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { setPublicLookup } from '#server/features/verification/set-public-lookup.ts'
import { verifyUpload } from '#server/features/verification/verify-upload.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import { describeDraft } from '#tests/support/office/described.ts'
import {
  aPdf,
  aScene,
  onEachSigningSystem,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { recorded } from '#tests/support/recorded-database.ts'
import { bytesIn } from '#tests/support/stored-files.ts'

onEachSigningSystem('public look-up of a document', (system) => {
  async function aSigned(): Promise<Scene> {
    const scene = await aScene(system())
    await signAs(system(), scene.person, scene.efirma, scene.document)
    return { ...scene, document: (await findDocument(system().db, scene.document.id))! }
  }
  const set = ({ person, document }: Scene, state: 'on' | 'off', by: Actor = person) =>
    setPublicLookup(system(), by, { documentId: document.id, state })

  /** The answers of each public address. */
  async function answers({ document }: Scene, actor: Actor = stranger()) {
    const version = (await findVersion(system().db, document.id, document.version))!
    const { id, verificationCode: code } = document
    const file = await bytesIn(system(), version)
    const content = { fileName: 'recibido.pdf', content: [file] } as const
    return {
      page: (await readVerification(system(), actor, { id })).kind,
      proof: await proveSigning(system(), actor, { id }).catch((error) => error.message),
      code: await findByCode(system(), actor, { code }),
      digest: await findByDigest(system(), actor, version),
      file: (await verifyUpload(system(), actor, content as never)).registration?.relation,
    }
  }
  const NOTHING = {
    ...{ page: 'not-found', proof: 'no public document' },
    ...{ code: undefined, digest: undefined, file: undefined },
  }

  test('off: unknown to strangers and to other offices at once, found by users of its own', async () => {
    const scene = await aSigned()
    expect(await answers(scene)).toMatchObject({ page: 'found', file: 'current' })
    await set(scene, 'off')
    expect(await answers(scene)).toEqual(NOTHING)
    const colleague = asPerson(await storedUser(system().db, scene.office, ['CLERK']))
    expect(await answers(scene, colleague)).toMatchObject({
      ...{ page: 'found', code: scene.document.id, file: 'current' },
      digest: { relation: 'current' },
    })
    // The answer for the office is not kept for the public.
    expect(await answers(scene)).toEqual(NOTHING)
    const other = await storedUser(system().db, await storedOffice(system().db, { number: 99 }), [
      'NOTARY',
    ])
    expect(await answers(scene, asPerson(other))).toEqual(NOTHING)
    const mustChange = { ...colleague, duty: 'change-password' } as const
    expect(await answers(scene, mustChange)).toEqual(NOTHING)
    await set(scene, 'on')
    expect(await answers(scene)).toMatchObject({ page: 'found', code: scene.document.id })
  })

  test('off: the public view is not counted, and asks the database what an unknown one asks', async () => {
    const scene = await aSigned()
    await set(scene, 'off')
    const { db, take } = recorded(system().db)
    const watched = { ...system(), db }
    const asked = async (id: string, code: string) => {
      take()
      await readVerification(watched, stranger(), { id })
      await findByCode(watched, stranger(), { code })
      return take().map(({ sql }) => sql)
    }
    const unknown = [DocumentId.parse(randomUUID()), verificationCodeFrom(Buffer.alloc(10, 7))]
    const { id, verificationCode } = scene.document
    expect(await asked(id, verificationCode)).toEqual(await asked(unknown[0]!, unknown[1]!))
    const log = await system().log()
    expect(log.filter(({ action }) => action === 'document.verified')).toEqual([])
  })

  test('changed by a notary alone, with one event; not while a signature is made', async () => {
    const scene = await aSigned()
    await set(scene, 'off')
    await set(scene, 'off')
    expect(
      (await system().log()).filter(({ action }) => action === 'document.lookup-changed'),
    ).toMatchObject([
      {
        actor: { userId: scene.person.userId },
        subject: { kind: 'document', id: scene.document.id },
        details: { publicLookup: 'off' },
      },
    ])
    const detail = await readDocument(system(), scene.person, { documentId: scene.document.id })
    expect(detail.lookupBy?.id).toBe(scene.user.id)
    const lawyer = asPerson(
      await storedUser(system().db, scene.office, ['ADMIN', 'LAWYER', 'CLERK']),
    )
    await expect(set(scene, 'on', lawyer)).rejects.toMatchObject({ code: 'forbidden' })
    await expect(set(scene, 'on', stranger())).rejects.toMatchObject({ code: 'not-signed-in' })

    const draft = await aScene(system(), { office: { number: 98 }, user: { rfc: 'MULA800101AB1' } })
    const { person, efirma, document } = draft
    const input = { documentId: document.id, version: 1, certificate: efirma.cer }
    await prepareSignature(system(), person, input)
    await expect(set(draft, 'off')).rejects.toMatchObject({ code: 'someone-signing' })
    system().wait(minutes(3))
    await set(draft, 'off')
    expect((await findDocument(system().db, document.id))?.publicLookup).toMatchObject({
      ...{ state: 'off', by: person.userId },
    })
  })

  test('document: has its public address from when the public finds it until a notary switches it off', async () => {
    const scene = await aScene(system())
    const { id } = scene.document
    const address = async () =>
      (await readDocument(system(), scene.person, { documentId: id })).publicAddress
    const isFound = async () =>
      (await readVerification(system(), stranger(), { id })).kind !== 'not-found'

    expect([await address(), await isFound()]).toEqual([null, false])
    await signAs(system(), scene.person, scene.efirma, scene.document)
    const { publicOrigin } = system().settings
    const code = scene.document.verificationCode
    expect(await address()).toEqual({ url: `${publicOrigin}/verify/${id}`, code })
    system().wait(seconds(6))
    expect(await isFound()).toBe(true)
    await set(scene, 'off')
    expect([await address(), await isFound()]).toEqual([null, false])
  })

  test('will: off from its upload or its description on, and no sheet has an address', async () => {
    const { person, efirma, document } = await aScene(system())
    const upload = async (kind: 'will' | 'other', title: string) =>
      await uploadDocument(system(), person, {
        ...{ kind, title: title as never, fileName: 'acto.pdf' as never },
        content: [await aPdf(title)],
      })
    expect((await upload('will', 'Acto 1')).publicLookup.state).toBe('off')
    expect((await upload('other', 'Acto 2')).publicLookup.state).toBe('on')
    const instrument = Instrument.parse({
      ...{ number: '12', volume: null, folios: null, date: null, parties: [] },
      acts: 'Testamento público abierto',
    })
    await describeDraft(system(), person, document, { instrument })
    expect((await system().log()).at(-1)).toMatchObject({ details: { publicLookup: 'off' } })
    const { sheet } = await readSigning(system(), person, { documentId: document.id })
    expect(sheet).toMatchObject({ publicAddress: null })
    await signAs(system(), person, efirma, document)
    const { facts } = await readEvidence(system(), person, { documentId: document.id })
    expect(facts.publicAddress).toBeNull()
    const id = document.id
    expect(await readVerification(system(), stranger(), { id })).toEqual({ kind: 'not-found' })
    system().wait(seconds(6))
    expect((await readVerification(system(), person, { id })).kind).toBe('found')
  })
})
