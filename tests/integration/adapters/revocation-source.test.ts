import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { judgeAnswer } from '#server/adapters/pdf-work/judge-answer.ts'
import { questionsAbout } from '#server/adapters/pdf-work/questions.ts'
import {
  type AnswerMemory,
  type AnswerWork,
  createRevocationSource,
  type ProvenAnswer,
} from '#server/adapters/revocation-source.ts'
import { answerOcsp, type OcspRegister } from '#server/demo/ocsp-responder.ts'
import { type DemoService, mintOcspResponder } from '#server/demo/service-certificates.ts'
import { sha256 } from '#server/domain/crypto/sha256.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { Problem } from '#server/domain/problem.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import type { RevocationValues } from '#server/domain/revocation/revocation-values.ts'
import { after, before, type Duration, days, type Instant, minutes } from '#server/domain/time.ts'
import type { TrustAnchor } from '#server/domain/trust/trust-anchor.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { Certificate } from '#server/domain/x509/certificate.ts'
import type { AnswerToJudge, AuthorityQuestion } from '#server/ports/revocation-source.ts'
import { mintCertificateList } from '#tests/support/authorities/certificate-lists.ts'
import {
  aPrivateAuthority,
  certificateUnder,
  listsAt,
  type PrivateAuthority,
} from '#tests/support/authorities/private-authority.ts'
import { TEST_NOW } from '#tests/support/authorities/test-authority.ts'

let authority: PrivateAuthority
let person: Certificate
let register: OcspRegister

beforeAll(async () => {
  authority = await aPrivateAuthority('Autoridad del Estado')
  person = (await certificateUnder(authority)).certificate
  register = {
    issuer: authority.certificate,
    responder: await responderOf(authority),
    revoked: new Map(),
  }
})

function responderOf({ certificate, key }: PrivateAuthority): Promise<DemoService> {
  const both = { root: certificate, rootKey: key, issuing: certificate, issuingKey: key }
  return mintOcspResponder(both, before(TEST_NOW, days(30)))
}

const revoking = (certificate: Certificate): OcspRegister => ({
  ...register,
  revoked: new Map([[certificate.serial, { at: before(TEST_NOW, days(1)), reason: 1 }]]),
})

/** An authority on this machine; `asked` counts its requests. */
async function serving(listener: (body: Uint8Array, ...rest: Parameters<RequestListener>) => void) {
  const asked = { count: 0 }
  const server = createServer(async (request, response) => {
    asked.count += 1
    const chunks = []
    for await (const chunk of request) chunks.push(chunk)
    listener(new Uint8Array(Buffer.concat(chunks)), request, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/ocsp`
  return { address, asked }
}

const OCSP = { 'Content-Type': 'application/ocsp-response' }
const answering = (from: () => OcspRegister, now: () => Instant = () => TEST_NOW) =>
  serving((body, _request, response) =>
    response.writeHead(200, OCSP).end(answerOcsp(body, from(), now())),
  )

function policyWith(...ocsp: string[]): VerificationPolicy {
  const anchor: TrustAnchor = {
    certificate: authority.certificate,
    label: 'Autoridad del Estado',
    forTesting: false,
    revocation: 'required',
    ocsp,
  }
  return { anchors: [anchor], candidates: [], at: TEST_NOW }
}

function aSource(options: { patience?: number; work?: AnswerWork } = {}) {
  let now = TEST_NOW
  const rows: ProvenAnswer[] = []
  const memory: AnswerMemory = {
    list: async () => rows,
    keep: async (_key, answer) => {
      const at = rows.findIndex(({ status }) => status === answer.status)
      rows.splice(at < 0 ? rows.length : at, at < 0 ? 0 : 1, answer)
    },
  }
  const source = createRevocationSource({
    networks: outgoingNetworks([]),
    memory,
    clock: { now: () => now },
    patience: (options.patience ?? 2000) as Duration,
    ...(options.work && { work: options.work }),
  })
  const wait = (time: Parameters<typeof after>[1]) => {
    now = after(now, time)
  }
  const ask = (policy: VerificationPolicy, ...more: Certificate[]) =>
    source.answersAbout(
      [person, ...more].map(({ der }) => der),
      policy,
    )
  return { source, rows, wait, ask, now: () => now }
}

test('asks the address of the anchor and caches proven answers', async () => {
  const { ask, rows, wait, now } = aSource()
  const { address, asked } = await answering(() => register, now)
  const { ocsp } = await ask(policyWith(address))
  expect(ocsp).toMatchObject([{ source: 'fetched' }])
  expect(rows).toMatchObject([{ status: 'good', der: ocsp[0]?.der }])
  expect((await ask(policyWith(address))).ocsp).toHaveLength(1)
  expect(asked.count).toBe(1)
  wait(minutes(6))
  await ask(policyWith(address))
  expect(asked.count).toBe(2)
  expect(rows).toHaveLength(1)
})

describe('questions about the same certificates', () => {
  /** How often they were found, and the requests that were sent. */
  async function watched() {
    const found = { count: 0 }
    const requests = new Set<string>()
    const work: AnswerWork = {
      questionsAbout: async (certificates, policy) => {
        found.count += 1
        return questionsAbout(certificates, policy)
      },
      judgeAnswer: async (answer) => judgeAnswer(answer),
    }
    const source = aSource({ work })
    const { address } = await serving((body, _request, response) => {
      requests.add(Buffer.from(body).toString('hex'))
      response.writeHead(200, OCSP).end(answerOcsp(body, register, source.now()))
    })
    return { ...source, found, requests, policy: policyWith(address) }
  }

  test('are found once while their answers are young', async () => {
    const { ask, found, requests, policy } = await watched()
    const first = await ask(policy)
    expect(await ask({ ...policy, at: after(TEST_NOW, minutes(1)) })).toEqual(first)
    expect([found.count, requests.size]).toEqual([1, 1])
  })

  test('are found again when an answer is not young any more, with a nonce of their own', async () => {
    const { ask, wait, found, requests, policy } = await watched()
    await ask(policy)
    wait(minutes(6))
    await ask(policy)
    expect([found.count, requests.size]).toEqual([2, 2])
  })

  test('are found again when other authorities are trusted', async () => {
    const { ask, found, policy } = await watched()
    await ask(policy)
    await ask({ ...policy, anchors: [...policy.anchors] })
    await ask({ ...policy, candidates: [authority.certificate] })
    expect(found.count).toBe(3)
  })

  test('are found again when one has no kept answer', async () => {
    const { ask, rows, found, policy } = await watched()
    await ask(policy)
    rows.length = 0
    await ask(policy)
    expect(found.count).toBe(2)
  })

  test('are found again where there were none, after a while', async () => {
    const { ask, wait, found } = await watched()
    const nowhere = policyWith()
    for (const time of [0, 1, 5]) {
      wait(minutes(time))
      expect(await ask(nowhere)).toEqual({ ocsp: [], crls: [] })
    }
    expect(found.count).toBe(2)
  })
})

test('a revocation stays known when the authority answers no more', async () => {
  const { ask, rows, wait } = aSource()
  const { address } = await answering(() => revoking(person))
  await ask(policyWith(address))
  expect(rows).toMatchObject([{ status: 'revoked' }])
  wait(days(30))
  expect((await ask(policyWith('http://127.0.0.1:9/'))).ocsp).toHaveLength(1)
})

test('inquiries: none without an anchor or an address', async () => {
  const { ask, source } = aSource()
  const { address, asked } = await answering(() => register)
  const stranger = await certificateUnder(await aPrivateAuthority('Nadie'), { ocsp: [address] })
  const own = await certificateUnder(authority, { ocsp: [address] })
  expect((await ask(policyWith(), own.certificate)).ocsp).toEqual([])
  await source.answersAbout([stranger.certificate.der], policyWith(address))
  await source.answersAbout([own.certificate.der], policyWith('http://127.0.0.1:9/'))
  await source.answersAbout(
    [own.certificate.der, Buffer.from('nada')],
    policyWith('http://127.0.0.1/'),
  )
  expect(asked.count).toBe(0)
})

test('an address in a certificate counts when it is on a host of the anchor', async () => {
  const { source } = aSource()
  const paths: string[] = []
  const { address } = await serving((body, request, response) => {
    paths.push(request.url ?? '')
    if (request.url === '/ocsp') response.writeHead(503).end()
    else response.writeHead(200, OCSP).end(answerOcsp(body, register, TEST_NOW))
  })
  const other = [
    address.replace('/ocsp', '/otro'),
    'ldap://127.0.0.1/',
    'http://u:p@127.0.0.1/',
    'x',
  ]
  const own = await certificateUnder(authority, { ocsp: other })
  const { ocsp } = await source.answersAbout([own.certificate.der], policyWith(address))
  expect(paths).toEqual(['/ocsp', '/otro'])
  expect(ocsp).toHaveLength(1)
})

test('silent authority: waited for no longer than the limit, then not asked for a while', async () => {
  const { ask, wait } = aSource({ patience: 300 })
  const { address, asked } = await serving(() => undefined)
  const start = performance.now()
  expect(await ask(policyWith(address))).toEqual({ ocsp: [], crls: [] })
  expect(performance.now() - start).toBeLessThan(1500)
  await ask(policyWith(address))
  expect(asked.count).toBe(1)
  wait(minutes(1))
  await ask(policyWith(address))
  expect(asked.count).toBe(2)
})

test('slow authority: is treated like a silent one', async () => {
  const { ask } = aSource({ patience: 300 })
  const { address } = await serving((_body, _request, response) => {
    response.writeHead(200, OCSP)
    const drops = setInterval(() => response.write('.'), 50)
    response.on('close', () => clearInterval(drops))
  })
  const start = performance.now()
  expect((await ask(policyWith(address))).ocsp).toEqual([])
  expect(performance.now() - start).toBeLessThan(1500)
})

test.each<[string, Parameters<typeof serving>[0]]>([
  ['an error', (_body, _request, response) => response.writeHead(500).end()],
  [
    'a page',
    (_body, _request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('x'),
  ],
  [
    'a way to another place',
    (_body, _request, response) =>
      response.writeHead(302, { Location: 'http://127.0.0.1:1/' }).end(),
  ],
  [
    'too much',
    (_body, _request, response) => response.writeHead(200, OCSP).end(Buffer.alloc(200_000)),
  ],
  [
    'half',
    (_body, _request, response) => {
      response.writeHead(200, { ...OCSP, 'Content-Length': '100' })
      response.write('x')
      setTimeout(() => response.destroy(), 20)
    },
  ],
  ['nothing', (_body, _request, response) => response.destroy()],
])('%s is no answer', async (_name, listener) => {
  const { ask, rows } = aSource()
  const { address } = await serving(listener)
  expect((await ask(policyWith(address))).ocsp).toEqual([])
  expect(rows).toEqual([])
})

test('answer of an unauthorized responder: reported, not kept', async () => {
  const { ask, rows } = aSource()
  const forger = await responderOf(await aPrivateAuthority('Autoridad del Estado'))
  const { address } = await answering(() => ({ ...register, responder: forger }))
  expect((await ask(policyWith(address))).ocsp).toHaveLength(1)
  const rubbish = await serving((_body, _request, response) =>
    response.writeHead(200, OCSP).end('x'),
  )
  expect((await ask(policyWith(rubbish.address))).ocsp).toHaveLength(1)
  expect(rows).toEqual([])
})

test('many who ask at once are one question, and the next address is tried when one is down', async () => {
  const { ask } = aSource()
  const { address, asked } = await answering(() => register)
  const policy = policyWith('http://127.0.0.1:9/', address)
  const all = await Promise.all([1, 2, 3, 4].map(() => ask(policy)))
  expect(all.map(({ ocsp }) => ocsp.length)).toEqual([1, 1, 1, 1])
  expect(asked.count).toBe(1)
})

test('a memory that fails costs nothing but another question', async () => {
  const { address } = await answering(() => register)
  const source = createRevocationSource({
    networks: outgoingNetworks([]),
    clock: { now: () => TEST_NOW },
    memory: { list: async () => [], keep: () => Promise.reject(new Error('disk full')) },
  })
  expect((await source.answersAbout([person.der], policyWith(address))).ocsp).toHaveLength(1)
})

describe('a source of a server', () => {
  const NOTHING = Buffer.from('no certificate')
  const question = (places: { addresses?: string[]; lists?: string[] }): AuthorityQuestion => ({
    certificate: NOTHING,
    issuer: NOTHING,
    request: NOTHING,
    ...{ addresses: [], lists: [] },
    ...places,
  })
  const rubbish = async () => {
    const { address } = await serving((_body, request, response) =>
      response
        .writeHead(200, request.method === 'POST' ? OCSP : {})
        .end(request.method === 'POST' ? 'an answer' : 'a list'),
    )
    return address
  }
  const sourceWith = (judge: AnswerWork['judgeAnswer'], patience = 2000) =>
    aSource({
      patience,
      work: {
        questionsAbout: () => Promise.reject(new Error('asked about a file')),
        judgeAnswer: judge,
      },
    })

  test('hands answers and lists to its threads and reads none of them itself', async () => {
    const judged: AnswerToJudge[] = []
    const { source, rows } = sourceWith(async (answer) => {
      judged.push(answer)
      return { status: 'good', isReadable: true, nextUpdate: undefined }
    })
    const address = await rubbish()
    const both = [question({ addresses: [address] }), question({ lists: [address] })]
    expect(await source.answersTo(both.slice(0, 1), policyWith())).toMatchObject({
      ocsp: [{ source: 'fetched' }],
      crls: [],
    })
    expect(rows).toMatchObject([{ status: 'good', der: Uint8Array.from(Buffer.from('an answer')) }])
    rows.splice(0)
    expect((await source.answersTo(both.slice(1), policyWith())).crls).toHaveLength(1)
    expect(judged.map(({ kind, der }) => [kind, Buffer.from(der).toString()])).toEqual([
      ['ocsp', 'an answer'],
      ['list', 'a list'],
    ])
  })

  test('an answer: is judged with the responders of its authority, not those of others', async () => {
    const judged: AnswerToJudge[] = []
    const { source } = sourceWith(async (answer) => {
      judged.push(answer)
      return { status: 'good', isReadable: true, nextUpdate: undefined }
    })
    const policy: VerificationPolicy = {
      ...policyWith(),
      responders: [
        { certificate: person, authorities: [sha256(NOTHING)] },
        { certificate: authority.certificate, authorities: [sha256(person.der)] },
      ],
    }
    await source.answersTo([question({ addresses: [await rubbish()] })], policy)
    expect(judged.map(({ responders }) => responders)).toEqual([[person.der]])
  })

  test.each<[string, AnswerWork['judgeAnswer']]>([
    ['is not judged in time', () => new Promise(() => undefined)],
    ['takes too much', () => Promise.reject(new Problem('pdf-too-complex', 'ten seconds'))],
  ])('an answer that %s: returned, not kept', async (_name, judge) => {
    const { source, rows } = sourceWith(judge, 300)
    const asked = question({ addresses: [await rubbish()] })
    expect((await source.answersTo([asked], policyWith())).ocsp).toHaveLength(1)
    expect(rows).toEqual([])
  })
})

const listOf = (issuer: PrivateAuthority, ...revoked: Certificate[]) =>
  mintCertificateList({
    issuer: issuer.certificate,
    issuerKey: issuer.key.privateKey,
    thisUpdate: before(TEST_NOW, days(1)),
    nextUpdate: after(TEST_NOW, days(6)),
    entries: revoked.map(({ serial }) => ({
      serial: Buffer.from(serial, 'hex'),
      at: before(TEST_NOW, days(2)),
    })),
  })

describe('without an OCSP answer, but with a published list', () => {
  const publishing = (list: () => Uint8Array) =>
    serving((_body, request, response) => {
      if (request.method === 'GET') response.writeHead(200).end(list())
      else response.writeHead(404).end()
    })
  const withLists = (policy: VerificationPolicy, ...lists: string[]): VerificationPolicy => ({
    ...policy,
    anchors: policy.anchors.map((anchor) => ({ ...anchor, lists })),
  })
  const about = (certificate: Certificate, evidence: RevocationValues) =>
    judgeRevocation({
      certificate,
      issuer: authority.certificate,
      evidence,
      candidates: [],
      at: TEST_NOW,
      now: TEST_NOW,
    })

  test('fetched from the address of the anchor and cached', async () => {
    const { ask, wait } = aSource()
    const { address, asked } = await publishing(() => listOf(authority, person))
    const evidence = await ask(withLists(policyWith(), address))
    expect(about(person, evidence)).toMatchObject({ status: 'revoked', source: 'crl' })
    expect(await ask(withLists(policyWith(), address))).toEqual(evidence)
    expect(asked.count).toBe(1)
    wait(minutes(61))
    await ask(withLists(policyWith(), address))
    expect(asked.count).toBe(2)
  })

  test('fetched only after the responders were asked and gave no answer', async () => {
    const { ask } = aSource()
    const { address, asked } = await publishing(() => listOf(authority))
    const evidence = await ask(withLists(policyWith(address), address))
    expect([asked.count, about(person, evidence).source]).toEqual([2, 'crl'])
    const answered = await answering(() => register)
    const { crls } = await aSource().ask(withLists(policyWith(answered.address), address))
    expect([crls, asked.count]).toEqual([[], 2])
  })

  test('a certificate may name it, on a host of the anchor', async () => {
    const { source } = aSource()
    const { address, asked } = await publishing(() => listOf(authority))
    const own = await certificateUnder(authority, { extensions: [listsAt(address)] })
    const ask = (policy: VerificationPolicy) => source.answersAbout([own.certificate.der], policy)
    expect(await ask(policyWith())).toEqual({ ocsp: [], crls: [] })
    expect(await ask(policyWith('http://127.0.0.1:9/'))).toEqual({ ocsp: [], crls: [] })
    expect(asked.count).toBe(0)
    const sameHost = policyWith(address.replace('/ocsp', '/nadie'))
    expect(about(own.certificate, await ask(sameHost)).status).toBe('good')
    const [anchor] = policyWith().anchors
    const believing = { ...policyWith(), anchors: [{ ...anchor!, believesAddresses: true }] }
    expect(about(own.certificate, await ask(believing)).status).toBe('good')
  })

  test.each<[string, () => Uint8Array | Promise<Uint8Array>, number]>([
    ['another authority’s', async () => listOf(await aPrivateAuthority('Autoridad del Estado')), 1],
    ['rubbish', () => Buffer.from('x'), 1],
    ['more than the limit', () => Buffer.alloc(11 << 20), 0],
  ])('%s proves nothing and is not kept', async (_, make, handedOn) => {
    const { ask } = aSource()
    const list = await make()
    const { address, asked } = await publishing(() => list)
    const { crls } = await ask(withLists(policyWith(), address))
    expect(crls).toHaveLength(handedOn)
    await ask(withLists(policyWith(), address))
    expect(asked.count).toBe(2)
  })
})

test('authorities between are asked about where they name a place', async () => {
  const { source } = aSource()
  const places: string[] = []
  const { address } = await serving((body, request, response) => {
    places.push(request.url ?? '')
    response.writeHead(200, OCSP).end(answerOcsp(body, register, TEST_NOW))
  })
  const own = address.replace('/ocsp', '/raiz')
  const between = await certificateUnder(authority, { isAuthority: true, ocsp: [own] })
  const signer = await certificateUnder(between)
  const asked = [signer, between].map(({ certificate }) => certificate.der)
  const { ocsp } = await source.answersAbout(asked, policyWith(address))
  expect(places).toEqual(['/ocsp', '/raiz'])
  const evidence = { ocsp, crls: [] }
  const question = { evidence, candidates: [], at: TEST_NOW, now: TEST_NOW }
  const { certificate } = between
  expect(judgeRevocation({ certificate, issuer: authority.certificate, ...question }).status).toBe(
    'good',
  )
})
