import { execFile } from 'node:child_process'
import { X509Certificate } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { beforeAll, expect, onTestFinished, test } from 'vitest'
import { createTimestampAuthorities } from '#server/adapters/timestamp-authorities.ts'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { outgoingNetworks } from '#server/domain/outgoing-networks.ts'
import { Problem } from '#server/domain/problem.ts'
import { type Duration, type Instant, instantOf, minutes } from '#server/domain/time.ts'
import { timeStampRequest } from '#server/domain/timestamp/time-stamp-request.ts'
import { readTimeStampToken } from '#server/domain/timestamp/time-stamp-token.ts'
import { startDigest } from '#server/domain/trust/digest-algorithm.ts'
import type { VerificationPolicy } from '#server/domain/verification/verify-file.ts'
import type { TimestampAuthority } from '#server/ports/timestamp-authorities.ts'
import { TEST_NOW, testAnchor, testAuthority } from '#tests/support/authorities/test-authority.ts'
import {
  type StampingAuthority,
  stampingAuthority,
} from '#tests/support/authorities/time-stamps.ts'
import {
  REPLY,
  stampingServer,
  timestampServer,
} from '#tests/support/authorities/timestamp-server.ts'

const DIGEST = startDigest('sha256').update('Escritura 12,345').digest()

let authority: StampingAuthority
let policy: VerificationPolicy
beforeAll(async () => {
  authority = await stampingAuthority()
  const { issuing } = await testAuthority()
  policy = { anchors: [await testAnchor()], candidates: [issuing], at: TEST_NOW }
})

const adapter = (changes: Partial<Parameters<typeof createTimestampAuthorities>[0]> = {}) =>
  createTimestampAuthorities({
    networks: outgoingNetworks([]),
    clock: { now: () => TEST_NOW },
    patience: 500 as Duration,
    ...changes,
  })

const asked = (url: string, changes: Partial<TimestampAuthority> = {}): TimestampAuthority => ({
  id: url,
  name: new URL(url).port,
  url,
  login: null,
  policy: null,
  ...changes,
})

const good = () => stampingServer(authority, () => TEST_NOW)

test('authorities: the first answer ends the search', async () => {
  const [first, second] = [await good(), await good()]
  const outcome = await adapter().stamp(DIGEST, [asked(first.url), asked(second.url)], policy)
  expect(outcome).toMatchObject({ kind: 'stamped', time: TEST_NOW, failures: [] })
  if (outcome.kind !== 'stamped') throw new Error('unavailable')
  expect(outcome.by).toBe(new URL(first.url).port)
  expect(Buffer.compare(readTimeStampToken(outcome.token).info.imprint, DIGEST)).toBe(0)
  expect([first.asked.count, second.asked.count]).toEqual([1, 0])
})

test.each(['localhost', '127.0.0.1'])(
  'authority %s in a network where no service may be: no connection is made',
  async (host) => {
    const { url, asked: requests } = await good()
    const address = url.replace('127.0.0.1', host)
    const nowhere = adapter({ networks: () => false })
    const outcome = await nowhere.stamp(DIGEST, [asked(address)], policy)
    expect(outcome).toMatchObject({
      kind: 'unavailable',
      failures: [{ reason: 'an address in a network that no service may be in' }],
    })
    expect(requests.count).toBe(0)
    expect(await adapter().stamp(DIGEST, [asked(address)], policy)).toMatchObject({
      kind: 'stamped',
    })
  },
)

test('a server hands the answer to its threads; one that takes too much to read is none', async () => {
  const { url } = await timestampServer((_query, _request, response) =>
    response.writeHead(200, REPLY).end('no timestamp'),
  )
  const seen: string[] = []
  const given = { kind: 'accepted', token: DIGEST, time: TEST_NOW, pathEnds: TEST_NOW } as const
  const accepting = adapter({
    accept: async ({ answer, request }) => {
      seen.push(Buffer.from(answer).toString(), Buffer.from(request.digest).toString('hex'))
      return given
    },
  })
  expect(await accepting.stamp(DIGEST, [asked(url)], policy)).toMatchObject({
    ...given,
    kind: 'stamped',
  })
  expect(seen).toEqual(['no timestamp', DIGEST.toString('hex')])
  const refusing = adapter({
    accept: () => Promise.reject(new Problem('pdf-too-complex', 'ten seconds')),
  })
  expect(await refusing.stamp(DIGEST, [asked(url)], policy)).toMatchObject({
    kind: 'unavailable',
    failures: [{ reason: 'pdf-too-complex' }],
  })
})

const otherNonce = (query: Uint8Array) => {
  const nonce = new Uint8Array(16).fill(9)
  expect(query.length).toBeGreaterThan(50)
  return timeStampRequest({ digest: DIGEST, nonce, policy: null })
}

/** Of the next ones, those with which all who ask at the address wait in vain. */
const SILENT = ['hangs up', 'never answers', 'never ends']

test.each<[string, RegExp, Parameters<typeof timestampServer>[0]]>([
  ['is broken', /status 500/, (_query, _request, response) => response.writeHead(500).end()],
  ['wants a password', /status 401/, (_query, _request, response) => response.writeHead(401).end()],
  [
    'leads elsewhere',
    /status 302/,
    (_query, _request, response) => response.writeHead(302, { Location: '/' }).end(),
  ],
  ['hangs up', /socket hang up|ECONNRESET/, (_query, request) => request.socket.destroy()],
  ['never answers', /aborted/, () => undefined],
  [
    'never ends',
    /aborted/,
    (query, _request, response) => {
      const answer = answerTimestamp(query, authority, TEST_NOW)
      response.writeHead(200, REPLY).write(answer.subarray(0, 100))
    },
  ],
  [
    'answers with a page',
    /text\/html/,
    (_query, _request, response) =>
      response.writeHead(200, { 'Content-Type': 'text/html' }).end('<html>'),
  ],
  [
    'answers with anything',
    /unreadable/,
    (_query, _request, response) => response.writeHead(200, REPLY).end('nada'),
  ],
  [
    'sends too much',
    /more than 65536 bytes/,
    (_query, _request, response) => response.writeHead(200, REPLY).end(Buffer.alloc(70_000)),
  ],
  [
    'answers another request',
    /nonce-differs/,
    (query, _request, response) =>
      response.writeHead(200, REPLY).end(answerTimestamp(otherNonce(query), authority, TEST_NOW)),
  ],
  [
    'refuses',
    /refused/,
    (_query, _request, response) =>
      response.writeHead(200, REPLY).end(answerTimestamp(new Uint8Array(), authority, TEST_NOW)),
  ],
])(
  'authority that %s: is named in the report, and the next one is asked',
  async (name, reason, listener) => {
    const isSilent = SILENT.includes(name)
    const [bad, next] = [await timestampServer(listener), await good()]
    const stamping = adapter()
    const outcome = await stamping.stamp(DIGEST, [asked(bad.url), asked(next.url)], policy)
    expect(outcome).toMatchObject({
      kind: 'stamped',
      by: new URL(next.url).port,
      failures: [{ name: new URL(bad.url).port, reason: expect.stringMatching(reason), isSilent }],
    })
    expect(await stamping.stamp(DIGEST, [asked(bad.url)], policy)).toMatchObject({
      kind: 'unavailable',
      failures: [{ reason: expect.stringMatching(reason) }],
    })
  },
)

test('unreachable authority: is named in the report', async () => {
  const { url, stop } = await good()
  stop()
  const outcome = await adapter().stamp(DIGEST, [asked(url)], policy)
  const reason = expect.stringMatching(/ECONNREFUSED/)
  expect(outcome).toMatchObject({ failures: [{ reason, isSilent: true }] })
  expect(await adapter().stamp(DIGEST, [], policy)).toEqual({ kind: 'unavailable', failures: [] })
})

test('an untrusted one does not count', async () => {
  const { url } = await good()
  const outcome = await adapter().stamp(DIGEST, [asked(url)], { ...policy, anchors: [] })
  expect(outcome).toMatchObject({ failures: [{ reason: 'untrusted' }] })
})

test('authorities: a slow one is asked last for a while', async () => {
  let now: Instant = TEST_NOW
  const slow = await timestampServer(() => undefined)
  const quick = await stampingServer(authority, () => now)
  const stamping = adapter({ clock: { now: () => now }, patience: 200 as Duration })
  const both = [asked(slow.url), asked(quick.url)]
  for (let times = 0; times < 3; times++)
    expect(await stamping.stamp(DIGEST, both, policy)).toMatchObject({ kind: 'stamped' })
  expect(slow.asked.count).toBe(1)
  now = instantOf(now + minutes(2))
  await stamping.stamp(DIGEST, both, policy)
  expect(slow.asked.count).toBe(2)
})

test('user and password go along where they are asked for', async () => {
  const login = { username: 'notaría-12', password: 'clave: con dos puntos' }
  const expected = `Basic ${Buffer.from('notaría-12:clave: con dos puntos').toString('base64')}`
  const { url } = await timestampServer((query, { headers }, response) => {
    if (headers.authorization !== expected) return response.writeHead(401).end()
    return response.writeHead(200, REPLY).end(answerTimestamp(query, authority, TEST_NOW))
  })
  const kindWith = async (changes: Partial<TimestampAuthority>) =>
    (await adapter().stamp(DIGEST, [asked(url, changes)], policy)).kind
  expect(await kindWith({ login })).toBe('stamped')
  expect(await kindWith({})).toBe('unavailable')
  expect(await kindWith({ login, policy: '2.999.1' })).toBe('stamped')
  expect(await kindWith({ login, policy: '2.999.2' })).toBe('unavailable')
})

test('an authority of openssl is understood over the wire', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-tsa-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const at = (name: string) => path.join(folder, name)
  const { issuing } = await testAuthority()
  const pem = (der: Uint8Array) => new X509Certificate(der).toString()
  writeFileSync(at('tsa.pem'), pem(authority.certificate.der))
  writeFileSync(at('chain.pem'), pem(issuing.der))
  writeFileSync(at('tsa.key'), authority.key.export({ type: 'pkcs8', format: 'pem' }))
  writeFileSync(at('serial'), '01\n')
  writeFileSync(
    at('ts.cnf'),
    `[tsa]\ndefault_tsa=one\n[one]\nserial=${at('serial')}\ncrypto_device=builtin\n` +
      'default_policy=1.2.3.4.1\ndigests=sha256\nsigner_digest=sha256\n',
  )
  const reply = (
    `ts -reply -queryfile ${at('query')} -signer ${at('tsa.pem')} -inkey ${at('tsa.key')} ` +
    `-chain ${at('chain.pem')} -config ${at('ts.cnf')} -out ${at('reply')}`
  ).split(' ')
  const { url } = await timestampServer(async (query, _request, response) => {
    writeFileSync(at('query'), query)
    await promisify(execFile)('openssl', reply)
    response.writeHead(200, REPLY).end(readFileSync(at('reply')))
  })
  const clock = { now: () => instantOf(Date.now()) }
  const stamping = adapter({ clock, patience: minutes(1) })
  const outcome = await stamping.stamp(DIGEST, [asked(url)], { ...policy, candidates: [] })
  expect(outcome).toMatchObject({ kind: 'stamped', failures: [] })
})
