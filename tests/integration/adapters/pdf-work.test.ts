import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PDFDocument, rgb } from '@cantoo/pdf-lib'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { judgeAnswer } from '#server/adapters/pdf-work/judge-answer.ts'
import { createPdfWork } from '#server/adapters/pdf-work.ts'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { readAuthorityBundle } from '#server/domain/cms/authority-bundle.ts'
import { Sha256 } from '#server/domain/ids.ts'
import { Problem } from '#server/domain/problem.ts'
import { isIdOf } from '#server/domain/revocation/certificate-id.ts'
import { readOcspRequest } from '#server/domain/revocation/ocsp-request.ts'
import {
  type Duration,
  days,
  before as earlier,
  instantOf,
  after as later,
  seconds,
} from '#server/domain/time.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { certificateFactsOf } from '#server/domain/trust/certificate-facts.ts'
import { readCertificate } from '#server/domain/x509/certificate.ts'
import type { ReadableFile } from '#server/ports/blobs.ts'
import type { FileBudget } from '#server/ports/file-budget.ts'
import { edited, textStream } from '#tests/attacks/deed.ts'
import { appendRevision } from '#tests/attacks/revision.ts'
import { signedDeed } from '#tests/attacks/sign-deed.ts'
import { mintCertificateList, TEN_MEGABYTES } from '#tests/support/authorities/certificate-lists.ts'
import {
  TEST_NOW,
  testAnchor,
  testAuthority,
  testEfirma,
} from '#tests/support/authorities/test-authority.ts'
import { stampingAuthority } from '#tests/support/authorities/time-stamps.ts'
import { threadTimeOf } from '#tests/support/cpu-time.ts'
import { judge } from '#tests/support/judges.ts'
import { answerAbout } from '#tests/support/pdf/long-term-pdfs.ts'
import { bodiesWithPages, pdfWithTable } from '#tests/support/pdf/pdf-builders.ts'
import { handSigned, sealOf } from '#tests/support/pdf/signed-pdfs.ts'
import { plainFile } from '#tests/support/stored-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'rubrica-pdf-work-'))
const work = createPdfWork({ threads: 1 })
afterAll(async () => {
  await work.close()
  rmSync(folder, { recursive: true })
})

function file(name: string, bytes: Uint8Array | string): ReadableFile {
  const path = join(folder, name)
  writeFileSync(path, bytes)
  return plainFile(path)
}

let letter: ReadableFile
let coloured: ReadableFile
beforeAll(async () => {
  const document = await PDFDocument.create()
  document.addPage([612, 792]).drawText('Escritura 12')
  letter = file('letter.pdf', await document.save())
  document.addPage([100, 5000]).drawRectangle({ width: 50, height: 5000, color: rgb(1, 0, 0) })
  coloured = file('coloured.pdf', await document.save())
})

const noTrust = { anchors: [], candidates: [], at: instantOf(0) }

const codeOf = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof Problem ? error.code : error),
  )

/** Time of this thread in milliseconds, the shortest of three: its collector may run in any one of them. */
async function quickestOf(job: () => unknown): Promise<number> {
  const times = [await threadTimeOf(job), await threadTimeOf(job), await threadTimeOf(job)]
  return Math.min(...times)
}

/** Width, height and colour type from the header of a PNG. */
function headerOf(png: Uint8Array) {
  const view = new DataView(png.buffer, png.byteOffset)
  expect([...png.subarray(0, 8)]).toEqual([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])
  return [view.getUint32(16), view.getUint32(20), png[25]]
}

test('certificate: its facts cross from the thread as they were read', async () => {
  const { cer } = await testEfirma()
  const { issuing } = await testAuthority()
  const trust = { anchors: [await testAnchor()], candidates: [issuing], at: TEST_NOW }
  const facts = certificateFactsOf(readCertificate(cer), trust)
  expect(await work.describeCertificate(cer, trust)).toEqual(facts)
  expect(facts.chain.kind).toBe('found')
})

describe('pictures', () => {
  test('a page of text is grey and as wide as asked', async () => {
    expect(headerOf(await work.picture(letter, { page: 1, width: 850 }))).toEqual([850, 1100, 0])
  })

  test('a page with colours keeps them; a very tall one is drawn narrower', async () => {
    expect(headerOf(await work.picture(coloured, { page: 2, width: 800 }))).toEqual([120, 6000, 3])
  })

  test('the value of a form field is in the picture', async () => {
    const document = await PDFDocument.create()
    const field = document.getForm().createTextField('nombre')
    field.addToPage(document.addPage([300, 100]), { borderWidth: 0 })
    const empty = file('form.pdf', await document.save())
    field.setText('María Ñandú')
    const filled = file('filled.pdf', await document.save())
    expect(await work.picture(empty, { page: 1, width: 300 })).not.toEqual(
      await work.picture(filled, { page: 1, width: 300 }),
    )
  })

  test('never wider than 2000 pixels', async () => {
    expect(headerOf(await work.picture(letter, { page: 1, width: 9000 }))).toEqual([2000, 2588, 0])
  })

  test.each([0, 2, -1, 1.5, Number.NaN])('page %s of one is not found', async (page) => {
    expect(await codeOf(work.picture(letter, { page, width: 400 }))).toBe('not-found')
  })

  test('picture: a file that is no PDF is damaged, and the next picture is drawn', async () => {
    expect(await codeOf(work.picture(file('noise.pdf', 'noise'), { page: 1, width: 400 }))).toBe(
      'damaged-pdf',
    )
    expect(await codeOf(work.picture(file('empty.pdf', ''), { page: 1, width: 400 }))).toBe(
      'damaged-pdf',
    )
    expect(headerOf(await work.picture(letter, { page: 1, width: 85 }))).toEqual([85, 110, 0])
  })
})

describe('pages as they were signed, and as they are', () => {
  const asked = [
    { signature: 0, page: 1 },
    { signature: 0, page: 2 },
    { signature: 7, page: 1 },
  ]

  test('the one that looks otherwise is drawn twice', async () => {
    const { file: signed } = await signedDeed()
    const changed = appendRevision(signed, { 11: textStream('Otra cosa') })
    const [first, ...more] = await work.comparePages(file('changed.pdf', changed), asked, 200)
    expect(first?.page).toBe(1)
    expect([headerOf(first!.before!), headerOf(first!.after!)]).toEqual([
      [200, 200, 0],
      [200, 200, 0],
    ])
    expect(Buffer.compare(first!.before!, first!.after!)).not.toBe(0)
    expect(more).toEqual([])
    const alone = await work.picture(file('signed.pdf', signed), { page: 1, width: 200 })
    expect(Buffer.compare(first!.before!, alone)).toBe(0)
  })

  test('a page that was added has nothing to be compared with', async () => {
    const deed = await signedDeed()
    const pages = edited(deed, 2, '12 0 R]', '12 0 R 51 0 R]')
    const added = appendRevision(deed.file, {
      2: pages[2]!.replace('/Count 2', '/Count 3'),
      51: deed.bodies[51]!.replace('52 0 R', '2 0 R'),
    })
    const compared = await work.comparePages(
      file('added.pdf', added),
      [{ signature: 0, page: 3 }],
      200,
    )
    expect(compared).toMatchObject([{ page: 3, before: null, after: expect.any(Uint8Array) }])
  })

  test('picture: a file that is no PDF has no pages', async () => {
    const nothing = work.comparePages(file('letter.txt', 'Estimado licenciado:'), asked, 200)
    expect(await codeOf(nothing)).toBe('not-a-pdf')
  })
})

describe('inspection', () => {
  test('counts pages and signatures', async () => {
    const free = {
      ...{ signatures: 0, mayBeSigned: true, isFinal: false },
      ...{ unseen: [], isDynamicForm: false },
    }
    expect(await work.inspect(letter)).toEqual({ pages: 1, ...free })
    expect(await work.inspect(coloured)).toEqual({ pages: 2, ...free })
  })

  test.each([
    ['empty.pdf', '', 'empty-file'],
    ['text.pdf', 'Querido notario: le escribo para pedirle una copia.', 'not-a-pdf'],
    ['head.pdf', '%PDF-1.7\n%%EOF\n', 'damaged-pdf'],
  ])('%s is refused', async (name, content, code) => {
    expect(await codeOf(work.inspect(file(name, content)))).toBe(code)
  })

  test('half of a file, and one without a page, are refused', async () => {
    const whole = pdfWithTable(bodiesWithPages(2))
    expect(await codeOf(work.inspect(file('whole.pdf', whole)))).toBeUndefined()
    const half = whole.subarray(0, whole.indexOf(120, whole.length - 400))
    const cut = [whole.subarray(0, 900), half, whole.subarray(0, whole.length - 40)]
    for (const bytes of cut)
      expect(await codeOf(work.inspect(file('cut.pdf', bytes)))).toBe('damaged-pdf')
    const pageless = pdfWithTable(bodiesWithPages(0))
    expect(await codeOf(work.inspect(file('pageless.pdf', pageless)))).toBe('damaged-pdf')
  })

  test('a file with a password is refused', async () => {
    const path = join(folder, 'encrypted.pdf')
    judge('qpdf')('--encrypt', 'u', 'o', '256', '--', letter.path, path)
    expect(await codeOf(work.inspect(plainFile(path)))).toBe('encrypted-pdf')
    expect(await codeOf(work.picture(plainFile(path), { page: 1, width: 300 }))).toBe(
      'encrypted-pdf',
    )
  })

  test("a file with only an owner's password is protected against changes", async () => {
    const path = join(folder, 'protected.pdf')
    judge('qpdf')('--encrypt', '', 'o', '256', '--', letter.path, path)
    expect(await codeOf(work.inspect(plainFile(path)))).toBe('change-protected-pdf')
  })
})

describe('a task that will not end', () => {
  const worker = new URL('./stubborn-worker.ts', import.meta.url)
  const stubborn = createPdfWork({ threads: 1, patience: 700 as Duration, worker })
  const greedy = createPdfWork({ threads: 1, memory: 64, patience: seconds(20), worker })
  afterAll(() => Promise.all([stubborn.close(), greedy.close()]))

  test('is ended by the clock, and the thread is replaced', async () => {
    expect(await codeOf(stubborn.inspect(letter))).toBe('pdf-too-complex')
    expect(await stubborn.picture(letter, { page: 1, width: 7 })).toEqual(Uint8Array.of(7))
  })

  test('is ended when it takes too much memory, and the thread is replaced', async () => {
    expect(await codeOf(greedy.verify(letter, 'x', noTrust))).toBe('pdf-too-complex')
    expect(await greedy.picture(letter, { page: 1, width: 8 })).toEqual(Uint8Array.of(8))
  })

  test('is ended when its caller gives up, and a waiting one never begins', async () => {
    const leaving = new AbortController()
    const { signal } = leaving
    const budget: FileBudget = {}
    const running = greedy.inspect(letter, { signal, budget })
    const waiting = greedy.inspect(letter, { signal })
    setTimeout(() => leaving.abort(new Error('gone')), 300)
    await expect(running).rejects.toThrow('gone')
    await expect(waiting).rejects.toThrow('gone')
    expect(budget.left).toBe(0)
    await expect(greedy.inspect(letter, { signal })).rejects.toThrow('gone')
    expect(await greedy.picture(letter, { page: 1, width: 9 })).toEqual(Uint8Array.of(9))
  })

  test('waiting for a turn does not count as working', async () => {
    const all = Array.from({ length: 20 }, (_, index) =>
      stubborn.picture(letter, { page: 1, width: index }),
    )
    expect(await Promise.all(all)).toHaveLength(20)
  })
})

describe('questions to authorities', () => {
  test('a file that cannot be read has none', async () => {
    expect(await work.questions(letter, noTrust)).toEqual([])
    expect(await work.questions(file('no.pdf', 'Estimado licenciado:'), noTrust)).toEqual([])
  })

  test('each names its certificate and where to ask, and brings a request with a nonce of its own', async () => {
    const { issuing } = await testAuthority()
    const efirma = await testEfirma()
    const anchors = [{ ...(await testAnchor()), ocsp: ['http://127.0.0.1:9/'] }]
    const policy = { anchors, candidates: [issuing], at: TEST_NOW }
    const signed = file('deed.pdf', await handSigned({ seal: sealOf(efirma) }))
    const ask = async () => {
      const [question, ...more] = await work.questions(signed, policy)
      expect(more).toEqual([])
      return question!
    }
    const { request, ...question } = await ask()
    expect(question).toEqual({
      certificate: efirma.certificate.der,
      issuer: issuing.der,
      parent: anchors[0]!.certificate.der,
      addresses: ['http://127.0.0.1:9/'],
      lists: [],
    })
    const { asked, nonce } = readOcspRequest(request)
    expect(isIdOf(asked[0]!, efirma.certificate, issuing)).toBe(true)
    expect(nonce).toHaveLength(16)
    expect(readOcspRequest((await ask()).request).nonce).not.toEqual(nonce)
  })
})

describe('answers of authorities', () => {
  test('a list of 10 MB is judged in another thread', async () => {
    const { issuing, issuingKey } = await testAuthority()
    const { certificate } = await testEfirma()
    const serial = Buffer.from(certificate.serial, 'hex')
    const der = mintCertificateList({
      issuer: issuing,
      issuerKey: issuingKey.privateKey,
      thisUpdate: earlier(TEST_NOW, days(1)),
      nextUpdate: later(TEST_NOW, days(1)),
      entries: [...TEN_MEGABYTES, { serial, at: earlier(TEST_NOW, days(2)) }],
    })
    expect(der.length).toBeGreaterThan(9_000_000)
    const question = { certificate: certificate.der, issuer: issuing.der }
    const answer = { question, der, responders: [], now: TEST_NOW }
    const judged = await work.judgeAnswer({ ...answer, kind: 'list' })
    expect(judged).toMatchObject({ status: 'revoked', nextUpdate: later(TEST_NOW, days(1)) })
    const asked = await quickestOf(() => work.judgeAnswer({ ...answer, kind: 'list' }))
    const here = await quickestOf(() => judgeAnswer({ ...answer, kind: 'list' }))
    expect(asked).toBeLessThan(here / 3)
    const none = { status: 'unknown', isReadable: false, nextUpdate: undefined }
    expect(await work.judgeAnswer({ ...answer, kind: 'ocsp' })).toEqual(none)
  })

  test('an OCSP answer is proven by its signature', async () => {
    const { issuing } = await testAuthority()
    const { certificate } = await testEfirma()
    const question = { certificate: certificate.der, issuer: issuing.der }
    const der = await answerAbout(certificate, TEST_NOW)
    const judge = (bytes: Uint8Array) =>
      work.judgeAnswer({ question, kind: 'ocsp', der: bytes, responders: [], now: TEST_NOW })
    expect(await judge(der)).toMatchObject({ status: 'good', isReadable: true })
    const forged = der.with(-1, der.at(-1)! ^ 1)
    expect(await judge(forged)).toMatchObject({ status: 'unknown', isReadable: true })
  })
})

describe('timestamps', () => {
  test('one is accepted in another thread, with the end of its path', async () => {
    const { issuing } = await testAuthority()
    const anchor = await testAnchor()
    const by = await stampingAuthority({ notAfter: later(TEST_NOW, days(90)) })
    const request = { digest: new Uint8Array(32), nonce: new Uint8Array(16).fill(7), policy: null }
    const answer = answerTimestamp(timeStampRequest(request), by, TEST_NOW)
    const policy = { anchors: [anchor], candidates: [issuing], at: TEST_NOW }
    const accepted = await work.acceptStamp({ answer, request, now: TEST_NOW }, policy)
    const pathEnds = later(TEST_NOW, days(90))
    expect(accepted).toMatchObject({ kind: 'accepted', time: TEST_NOW, pathEnds })
    const token = accepted.kind === 'accepted' ? accepted.token : new Uint8Array()
    expect(readTimeStampToken(token).info.time).toBe(TEST_NOW)
    const other = { ...request, nonce: new Uint8Array(16).fill(8) }
    expect(await work.acceptStamp({ answer, request: other, now: TEST_NOW }, policy)).toEqual({
      kind: 'refused',
      fault: 'nonce-differs',
    })
  })

  test('rubbish is no constancia', async () => {
    const rubbish = Buffer.from('Constancia')
    const asked = { imprint: new Uint8Array(32), nonce: new Uint8Array(16) }
    expect(await work.readConstancia(rubbish, asked)).toMatchObject({ reason: 'no-constancia' })
    expect(await work.questionsAboutConstancia(rubbish, noTrust)).toEqual([])
    const judged = await work.judgeConstancia(rubbish, Sha256.parse('0'.repeat(64)), noTrust)
    expect(judged.verdict).toBe('NOT_A_CONSTANCIA')
  })
})

test('authorities: a bundle of 2 MB is read in another thread', async () => {
  const { root } = await testAuthority()
  const pem = `-----BEGIN CERTIFICATE-----\n${Buffer.from(root.der).toString('base64')}\n-----END CERTIFICATE-----\n`
  const bundle = Buffer.from(pem.repeat(Math.floor((2 << 20) / pem.length)))
  const read = await work.readAuthorities(bundle, 'autoridades.pem')
  const own = { der: root.der, name: root.name, mayIssue: true, forTesting: true }
  expect(read).toMatchObject({ certificates: [own], unreadable: [], isCut: true })
  const asked = await quickestOf(() => work.readAuthorities(bundle, 'autoridades.pem'))
  const here = await quickestOf(() => readAuthorityBundle(bundle, 'autoridades.pem'))
  expect(asked).toBeLessThan(here / 3)
})

describe('budget of a file', () => {
  const worker = new URL('./stubborn-worker.ts', import.meta.url)
  const slow = createPdfWork({ threads: 1, patience: 700 as Duration, worker })
  afterAll(() => slow.close())

  test('is set by the size of the file, and each task takes its time from it', async () => {
    const budget: FileBudget = {}
    const large = file('ten-megabytes.pdf', new Uint8Array(10_000_000))
    await slow.picture(large, { page: 1, width: 3 }, { budget })
    expect(budget.left).toBeLessThanOrEqual(1650)
    expect(budget.left).toBeGreaterThan(800)
    const { left } = budget
    await slow.picture(large, { page: 1, width: 4 }, { budget })
    expect(budget.left).toBeLessThanOrEqual(left! - 50)
  })

  test('a task that waits for a busy machine is not too complex', async () => {
    expect(await slow.report({} as never)).toEqual(new Uint8Array())
  })

  test('a task that does nothing is ended after three times its budget', async () => {
    const start = performance.now()
    expect(await codeOf(slow.evidenceSheet({} as never))).toBe('pdf-too-complex')
    const time = performance.now() - start
    expect(time).toBeGreaterThan(2_000)
    expect(time).toBeLessThan(3_500)
  })

  test('a task that reaches its end is ended, and the next task on the file is refused', async () => {
    const budget: FileBudget = {}
    await slow.picture(letter, { page: 1, width: 5 }, { budget })
    const { left } = budget
    const start = performance.now()
    expect(await codeOf(slow.inspect(letter, { budget }))).toBe('pdf-too-complex')
    expect(performance.now() - start).toBeLessThan(3 * left! + 300)
    expect(budget.left).toBe(0)
    expect(await codeOf(slow.picture(letter, { page: 1, width: 6 }, { budget }))).toBe(
      'pdf-too-complex',
    )
    expect(await slow.picture(letter, { page: 1, width: 6 })).toEqual(Uint8Array.of(6))
  })
})
