import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { expect, test, vi } from 'vitest'
import { createFileBlobs } from '#server/adapters/blobs-files.ts'
import { guardedBlobs } from '#server/adapters/guarded-blobs.ts'
import { findVersion } from '#server/db/documents/document-versions.ts'
import { findDocument } from '#server/db/documents/documents.ts'
import { fileRecordsIn } from '#server/db/documents/stored-files.ts'
import type { Actor } from '#server/domain/identity/actor.ts'
import { Problem } from '#server/domain/problem.ts'
import { hours, minutes, parseInstant, seconds } from '#server/domain/time.ts'
import { INSTALLATION, type TrustScope } from '#server/domain/trust/known-authority.ts'
import { judgeUploads } from '#server/features/documents/judge-uploads.ts'
import { readUploadVerdict } from '#server/features/documents/read-upload-verdict.ts'
import { extractSignedRevision } from '#server/features/verification/extract-signed-revision.ts'
import { findByCode } from '#server/features/verification/find-by-code.ts'
import { UPLOADS_OF_USERS } from '#server/features/verification/lane-of.ts'
import { readVerification } from '#server/features/verification/read-verification.ts'
import { verifyUpload } from '#server/features/verification/verify-upload.ts'
import type { TaskOptions } from '#server/ports/file-budget.ts'
import { HEAVY_READS } from '#server/steps/documents/read-in-turn.ts'
import type { System } from '#server/system.ts'
import { TEST_NOW, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority, stampOver } from '#tests/support/authorities/time-stamps.ts'
import { asPerson, storedOffice, storedUser, stranger } from '#tests/support/builders.ts'
import {
  aDraft,
  aPdf,
  aScene,
  onEachSigningSystem,
  readyTrust,
  type Scene,
  signAs,
} from '#tests/support/office/signing-system.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { bytesIn } from '#tests/support/stored-files.ts'
import type { TestSystem } from '#tests/support/test-system.ts'

async function aSigned(system: TestSystem): Promise<Scene & { file: Buffer }> {
  const scene = await aScene(system)
  await signAs(system, scene.person, scene.efirma, scene.document)
  const document = (await findDocument(system.db, scene.document.id))!
  const version = await findVersion(system.db, document.id, document.version)
  const file = await bytesIn(system, version!)
  return { ...scene, document, file }
}

/** A system that counts how often a file is looked at. */
function counting(system: System): System & { looks: () => number } {
  let looks = 0
  const verify: System['pdf']['verify'] = (...asked) => {
    looks += 1
    return system.publicPdf.verify(...asked)
  }
  return { ...system, publicPdf: { ...system.publicPdf, verify }, looks: () => looks }
}

const upload = (system: System, content: Uint8Array, actor: Actor = stranger()) =>
  verifyUpload(system, actor, { fileName: 'recibido.pdf', content: [content] })

onEachSigningSystem('public verification', (system) => {
  const verified = async () =>
    (await system().log()).filter(({ action }) => action === 'document.verified')

  test('a signed document is found by its id and by its code, however it is typed', async () => {
    const { document } = await aSigned(system())
    const found = await readVerification(system(), stranger(), { id: document.id.toUpperCase() })
    expect(found).toMatchObject({ kind: 'found', report: { verdict: 'VALID' } })
    const typed = document.verificationCode.toLowerCase().replaceAll('-', ' ')
    for (const code of [
      document.verificationCode,
      typed,
      document.id,
      `http://localhost:3000/verify/${document.id}`,
    ])
      expect(await findByCode(system(), stranger(), { code })).toBe(document.id)
  })

  test('a draft, a cancelled one and nothing at all are answered alike', async () => {
    const { document, person } = await aScene(system())
    const notFound = { kind: 'not-found' }
    for (const id of [document.id, person.userId, 'escritura', ''])
      expect(await readVerification(system(), stranger(), { id })).toEqual(notFound)
    const code = document.verificationCode
    expect(await findByCode(system(), stranger(), { code })).toBeUndefined()
    expect(await findByCode(system(), stranger(), { code: document.folio })).toBeUndefined()
    expect(await verified()).toEqual([])
  })

  test('a file is refused before it is taken in when too many wait', async () => {
    const whole = system()
    let begun = 0
    const content = (function* () {
      begun += 1
      yield new Uint8Array()
    })()
    const crowded = { ...whole, publicPdf: { ...whole.publicPdf, isCrowded: () => true } }
    await expect(
      verifyUpload(crowded, stranger(), { fileName: 'recibido.pdf', content }),
    ).rejects.toMatchObject({ code: 'too-many-attempts' })
    const full = () => Promise.reject(new Problem('too-many-attempts', 'the last place is taken'))
    const filled = { ...whole, publicPdf: { ...whole.publicPdf, verify: full } }
    await expect(upload(filled, await aPdf())).rejects.toMatchObject({ code: 'too-many-attempts' })
    expect(begun).toBe(0)
  })

  test('strangers and users of the office each have their own workers', async () => {
    const whole = system()
    const { document, person } = await aSigned(whole)
    const idle = () => Promise.reject(new Error('these are not the workers for this actor'))
    const withoutWorkers = { ...whole.pdf, questions: idle, verify: idle, isCrowded: () => true }
    const forStrangers: System = { ...whole, pdf: withoutWorkers }
    const forStaff: System = { ...whole, publicPdf: withoutWorkers }
    const content = await aPdf()
    const judged = { report: { verdict: 'NO_SIGNATURE' } }
    expect(await upload(forStrangers, content)).toMatchObject(judged)
    expect(await upload(forStaff, content, person)).toMatchObject(judged)
    await expect(upload(forStaff, content)).rejects.toMatchObject({ code: 'too-many-attempts' })

    system().wait(minutes(6))
    const found = { kind: 'found' }
    expect(await readVerification(forStrangers, stranger(), document)).toMatchObject(found)
    system().wait(minutes(6))
    expect(await readVerification(forStaff, person, document)).toMatchObject(found)
  })

  test('users of the office do not join the verification of a document that a stranger began', async () => {
    const { document, person } = await aSigned(system())
    const gate = Promise.withResolvers<void>()
    const { publicPdf } = system()
    const verify: System['pdf']['verify'] = async (...asked) => {
      await gate.promise
      return await publicPdf.verify(...asked)
    }
    const slow: System = { ...system(), publicPdf: { ...publicPdf, verify } }
    system().wait(minutes(6))
    const ended: string[] = []
    const read = async (actor: Actor) => {
      await readVerification(slow, actor, document)
      ended.push(actor.kind)
    }
    const ofStranger = read(stranger())
    await Promise.race([read(person), setTimeout(seconds(10))])
    gate.resolve()
    await ofStranger
    expect(ended).toEqual(['person', 'anonymous'])
  })

  test('verdict for a user: waits for its turn, for which strangers, signatures and the job that judges do not wait', async () => {
    const { document, person, efirma } = await aSigned(system())
    const draft = await aDraft(system(), person, await handSigned({ seal: sealOf(efirma) }))
    const gate = Promise.withResolvers<void>()
    const others = system()
      .memory.queue(HEAVY_READS)
      .inTurn(() => gate.promise)
    system().wait(minutes(6))
    const ended: string[] = []
    const own = async () => {
      await readVerification(system(), person, document)
      ended.push('of signed')
    }
    const ofDraft = async () => {
      await readUploadVerdict(system(), person, { documentId: draft.id })
      ended.push('of draft')
    }
    const reading = Promise.all([own(), ofDraft()])
    await setTimeout(100)
    expect(await readVerification(system(), stranger(), document)).toMatchObject({ kind: 'found' })
    expect(await judgeUploads(system())).toBeGreaterThan(0)
    await signAs(system(), person, efirma, draft)
    expect(ended).toEqual([])
    gate.resolve()
    await Promise.all([others, reading])
    expect(ended).toHaveLength(2)
  })

  test('uploads of a user: refused while 8 are verified or wait; a stranger and another user are served', async () => {
    const { person, office } = await aScene(system())
    const colleague = asPerson(await storedUser(system().db, office, ['NOTARY']))
    const gate = Promise.withResolvers<void>()
    const queue = system().memory.queue(UPLOADS_OF_USERS)
    const many = Array.from({ length: 8 }, () =>
      queue.inTurn(() => gate.promise, { owner: person.userId }),
    )
    const content = await aPdf()
    const refused = { code: 'too-many-attempts' }
    await expect(upload(system(), content, person)).rejects.toMatchObject(refused)
    const judged = { report: { verdict: 'NO_SIGNATURE' } }
    expect(await upload(system(), content)).toMatchObject(judged)
    const one = upload(system(), content, colleague)
    gate.resolve()
    expect(await one).toMatchObject(judged)
    await Promise.all(many)
  })

  test('a refusal of the moment is no verdict about the file', async () => {
    const whole = system()
    for (const code of ['too-many-attempts', 'verification-busy'] as const) {
      const verify = () => Promise.reject(new Problem(code, 'not now'))
      const busy = { ...whole, publicPdf: { ...whole.publicPdf, verify } }
      await expect(upload(busy, await aPdf())).rejects.toMatchObject({ code })
    }
  })

  test('uploaded file: one event per network and hour', async () => {
    const { document } = await aSigned(system())
    const ask = (ip: string) => readVerification(system(), stranger({ ip }), { id: document.id })
    await Promise.all([ask('203.0.113.7'), ask('203.0.113.7'), ask('203.0.113.7')])
    await ask('2001:db8::1')
    await ask('2001:db8::2')
    expect(await verified()).toMatchObject([
      { actor: { kind: 'anonymous' }, subject: { id: document.id }, details: { version: 2 } },
      { actor: { kind: 'anonymous' }, subject: { id: document.id } },
    ])
    system().wait(hours(1))
    await ask('203.0.113.7')
    expect(await verified()).toHaveLength(3)
  })

  test('the file is looked at once in five minutes, by however many', async () => {
    const { document } = await aSigned(system())
    const counted = counting(system())
    const ask = () => readVerification(counted, stranger(), { id: document.id })
    await Promise.all([ask(), ask(), ask()])
    expect(counted.looks()).toBe(1)
    system().wait(minutes(4))
    await ask()
    expect(counted.looks()).toBe(1)
    system().wait(minutes(2))
    await ask()
    expect(counted.looks()).toBe(2)
  })

  test('when the certificate ends, the verdict changes at once', async () => {
    const scene = await aScene(system())
    const { person, document } = scene
    const efirma = await testEfirma({ notAfter: parseInstant('2026-11-20T15:01:00Z') })
    await signAs(system(), person, efirma, document)
    const ask = () => readVerification(system(), stranger(), { id: document.id })
    system().wait(seconds(58))
    expect(await ask()).toMatchObject({ report: { verdict: 'VALID' } })
    system().wait(seconds(3))
    expect(await ask()).toMatchObject({ report: { verdict: 'INDETERMINATE' } })
  })

  test('a file is judged by the authorities of its office, of the reader, or of the installation', async () => {
    const { document, file } = await aSigned(system())
    const scopes: TrustScope[] = []
    const { trust } = system()
    const policy: typeof trust.policy = (now, scope) => {
      scopes.push(scope)
      return trust.policy(now, scope)
    }
    const watched = { ...system(), trust: { ...trust, policy } }
    await upload(watched, file)
    await upload(watched, Buffer.concat([file, Buffer.from('% de ella\n%%EOF\n')]))
    const unknown = await aPdf('Nadie lo firmó')
    await upload(watched, unknown)
    const other = await storedUser(system().db, await storedOffice(system().db, { number: 46 }))
    await upload(watched, unknown, asPerson(other))
    const own = document.officeId
    expect(scopes).toEqual([own, own, INSTALLATION, other.officeId])
  })

  test('a file says whether it is registered, and as what', async () => {
    const { document, file } = await aSigned(system())
    expect(await upload(system(), file)).toMatchObject({
      report: { verdict: 'VALID', file: 'recibido.pdf' },
      registration: { relation: 'current', document: { id: document.id } },
    })
    const original = await findVersion(system().db, document.id, 1)
    const draft = await bytesIn(system(), original!)
    const unsigned = await upload(system(), draft)
    expect(unsigned).toMatchObject({ report: { verdict: 'NO_SIGNATURE' } })
    expect(unsigned.registration).toBeUndefined()
    const longer = Buffer.concat([file, Buffer.from('\\n% algo más\\n%%EOF\\n')])
    const changed = await upload(system(), longer)
    expect(changed).toMatchObject({ registration: { relation: 'changed' } })
    expect(changed.report.verdict).not.toBe('VALID')
    const flipped = Buffer.from(file)
    flipped[200]! ^= 1
    const forged = await upload(system(), flipped)
    expect(forged.registration).toBeUndefined()
    expect(forged.report.verdict).not.toBe('VALID')
  })

  test('digest of a draft: is unknown to the public', async () => {
    const content = await aPdf('Proyecto de escritura')
    await aScene(system(), { content })
    expect((await upload(system(), content)).registration).toBeUndefined()
  })

  test('uploaded file: leaves no copy', async () => {
    await readyTrust()
    const paths: string[] = []
    const { blobs } = system()
    const stage: System['blobs']['stage'] = async (...asked) => {
      const staged = await blobs.stage(...asked)
      paths.push(staged.file.path)
      return staged
    }
    await upload({ ...system(), blobs: { ...blobs, stage } }, await aPdf('De un extraño'))
    expect(paths).toHaveLength(1)
    expect(paths.filter(existsSync)).toEqual([])
  })

  test('uploaded file: given up and deleted when its sender is gone', async () => {
    await readyTrust()
    const paths: string[] = []
    const { blobs, publicPdf } = system()
    const stage: System['blobs']['stage'] = async (...asked) => {
      const staged = await blobs.stage(...asked)
      paths.push(staged.file.path)
      return staged
    }
    const leaving = new AbortController()
    const looked: string[] = []
    const untilGone = (name: string) => (_: unknown, __: unknown, options?: TaskOptions) => {
      looked.push(name)
      leaving.abort(new Error('gone'))
      options?.signal?.throwIfAborted()
      return Promise.reject(new Error(`${name} has no signal`))
    }
    const questions = untilGone('questions') as System['pdf']['questions']
    const left = { ...system(), blobs: { ...blobs, stage }, publicPdf: { ...publicPdf, questions } }
    const { signal } = leaving
    const content = [await aPdf('De un extraño')]
    const verifying = verifyUpload(left, stranger(), { fileName: 'a.pdf', content, signal })
    await expect(verifying).rejects.toThrow('gone')
    expect(looked).toEqual(['questions'])
    expect(paths).toHaveLength(1)
    expect(paths.filter(existsSync)).toEqual([])
  })

  const MEGABYTE = 1024 ** 2
  const onDiskWithNinePercent = async (): Promise<System> => {
    const space = async () => ({ free: 9 * MEGABYTE, total: 100 * MEGABYTE })
    return { ...system(), blobs: guardedBlobs(system().blobs, { space }) }
  }
  const withFullShare = async (): Promise<System> => {
    const { db, vault, clock, folder } = system()
    const keys = { records: fileRecordsIn(db), vault, clock }
    return { ...system(), blobs: await createFileBlobs(folder, keys, 0) }
  }
  test.each([
    ['the share of strangers is used up', withFullShare],
    ['9 % of the disk are free', onDiskWithNinePercent],
  ])('users of the office still verify files when %s, strangers do not', async (_, made) => {
    const { person, file } = await aSigned(system())
    const scarce = await made()
    const extract = async (actor: Actor) => {
      const asked = { fileName: 'recibido.pdf', signature: 1, content: [file] }
      const { content } = await extractSignedRevision(scarce, actor, asked)
      return await new Response(content).bytes()
    }
    expect(await upload(scarce, file, person)).toMatchObject({ report: { verdict: 'VALID' } })
    expect(await extract(person)).toHaveLength(file.length)
    const busy = { code: 'verification-busy' }
    await expect(upload(scarce, file)).rejects.toMatchObject(busy)
    await expect(extract(stranger())).rejects.toMatchObject(busy)
  })

  test('a constancia that comes with a file is judged with it, and not asked for before', async () => {
    await readyTrust()
    const content = await aPdf()
    const by = await stampingAuthority()
    let isRead = false
    const chunks = (function* () {
      yield content
      isRead = true
    })()
    const { report } = await verifyUpload(system(), stranger(), {
      fileName: 'recibido.pdf',
      content: chunks,
      async constancia() {
        expect(isRead).toBe(true)
        return stampOver(content, { by, time: TEST_NOW })
      },
    })
    expect(report).toMatchObject({
      verdict: 'NO_SIGNATURE',
      constancia: { verdict: 'VALID', kind: 'timestamp', forTesting: true },
    })
  })

  test('uploaded file: its signed revision can be downloaded, and no copy stays', async () => {
    const { file } = await aSigned(system())
    const changed = Buffer.concat([file, Buffer.from('\n% y algo más\n')])
    const paths: string[] = []
    const { blobs } = system()
    const stage: System['blobs']['stage'] = async (...asked) => {
      const staged = await blobs.stage(...asked)
      paths.push(staged.file.path)
      return staged
    }
    const watched = { ...system(), blobs: { ...blobs, stage } }
    const extract = (signature: number) =>
      extractSignedRevision(watched, stranger(), {
        fileName: 'recibido.pdf',
        signature,
        content: [changed],
      })
    const { size, content } = await extract(1)
    expect(size).toBe(file.length)
    expect(Buffer.concat(await Array.fromAsync(content)).equals(file)).toBe(true)
    await expect(extract(2)).rejects.toMatchObject({ code: 'not-found' })
    const left = await extract(1)
    await left.content.cancel()
    expect([paths.length, paths.filter(existsSync)]).toEqual([3, []])
  })

  test('upload: other files are refused with the reason', async () => {
    const { key, cer } = await testEfirma()
    const files = [Buffer.from('hola'), new Uint8Array(), key, cer]
    const codes: unknown[] = []
    for (const file of files) codes.push(await upload(system(), file).catch(({ code }) => code))
    expect(codes).toEqual([
      'not-a-pdf',
      'empty-file',
      'private-key-uploaded',
      'certificate-uploaded',
    ])
  })

  test.each<[string, (content: ReadableStream) => Promise<unknown>]>([
    ['the client has read it', (content) => new Response(content).bytes()],
    ['the client breaks off', (content) => content.cancel()],
    ['the client reads nothing for a minute', async () => undefined],
  ])('signed revision: its temporary file is deleted when %s', async (_, end) => {
    const { file } = await aSigned(system())
    const input = { fileName: 'recibido.pdf', signature: 1, content: [file] }
    let ends = 0
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    try {
      const { content } = await extractSignedRevision(system(), stranger(), {
        ...input,
        onEnd: () => {
          ends += 1
        },
      })
      expect(ends).toBe(0)
      await end(content)
      await vi.waitFor(() => {
        if (end.length === 0) vi.advanceTimersByTime(minutes(1))
        expect(ends).toBe(1)
      })
    } finally {
      vi.useRealTimers()
    }
    const kept = readdirSync(join(system().folder, 'incoming'), {
      recursive: true,
      withFileTypes: true,
    })
    expect(kept.filter((entry) => entry.isFile())).toEqual([])
  })

  test('a file that the worker gave up is undecided, not an error', async () => {
    await aScene(system())
    const verify = () => Promise.reject(new Problem('pdf-too-complex', 'took too long'))
    const giving = { ...system(), publicPdf: { ...system().publicPdf, verify } }
    expect(await upload(giving, await aPdf())).toMatchObject({
      report: { verdict: 'INDETERMINATE', headline: { code: 'too-complex-to-verify' } },
    })
  })

  test('a file over the limit is refused', async () => {
    const small = { ...system(), settings: { ...system().settings, uploadLimit: 100 } }
    await expect(upload(small, await aPdf())).rejects.toMatchObject({ code: 'too-large' })
  })

  test('guessing is slowed down by network', async () => {
    const guess = (ip: string) => findByCode(system(), stranger({ ip }), { code: 'nada' })
    for (let i = 0; i < 60; i += 1) await guess('203.0.113.7')
    await expect(guess('203.0.113.7')).rejects.toMatchObject({ code: 'too-many-attempts' })
    expect(await guess('198.51.100.1')).toBeUndefined()
    system().wait(minutes(10))
    expect(await guess('203.0.113.7')).toBeUndefined()
  })
})
