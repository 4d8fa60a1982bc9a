import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type DemoFiles, makeDemoFiles } from '#server/demo/demo-files.ts'
import { answerOcsp } from '#server/demo/ocsp-responder.ts'
import { serveAuthority } from '#server/demo/serve-authority.ts'
import { answerTimestamp } from '#server/demo/timestamp-authority.ts'
import { judgeRevocation } from '#server/domain/revocation/judge-revocation.ts'
import { ocspRequest } from '#server/domain/revocation/ocsp-request.ts'
import { readOcspResponse } from '#server/domain/revocation/ocsp-response.ts'
import { instantOf } from '#server/domain/time.ts'
import { readTimeStampResponse } from '#server/domain/timestamp/time-stamp-response.ts'
import { verifyTimeStamp } from '#server/domain/timestamp/verify-time-stamp.ts'
import { startDigest } from '#server/domain/trust/digest-algorithm.ts'
import { type Certificate, readCertificate } from '#server/domain/x509/certificate.ts'
import { testAuthority, testEfirma } from '#tests/support/authorities/test-authority.ts'
import { judge } from '#tests/support/judges.ts'
import { program } from '#tests/support/processes/program.ts'

const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-demo-authority-'))
const inFolder = (name: string) => path.join(folder, name)
const read = (file: string) => readCertificate(new Uint8Array(readFileSync(file)))
const now = () => instantOf(Date.now())
let files: DemoFiles
let server: Server
let origin = ''
let issuing: Certificate

beforeAll(async () => {
  files = await makeDemoFiles(folder, now())
  issuing = read(inFolder('authority/issuing.cer'))
  server = createServer(express().use(serveAuthority(files.services, { now })))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const pem = (name: string) =>
    judge('openssl')('x509', '-inform', 'DER', '-in', inFolder(`authority/${name}.cer`)).output
  writeFileSync(inFolder('root.pem'), pem('root'))
  writeFileSync(inFolder('issuing.pem'), pem('issuing'))
  writeFileSync(inFolder('chain.pem'), pem('root') + pem('issuing'))
})
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve))
  rmSync(folder, { recursive: true })
})

const fileOf = (kind: 'good' | 'revoked') =>
  kind === 'good'
    ? (files.efirmas.get('notaria-titular')?.cer ?? '')
    : (files.refused.find((one) => one.kind === 'revoked')?.cer ?? '')

test.each(['good', 'revoked'] as const)(
  'openssl asks about a certificate that is %s',
  async (kind) => {
    const pem = inFolder(`${kind}.pem`)
    writeFileSync(pem, judge('openssl')('x509', '-inform', 'DER', '-in', fileOf(kind)).output)
    const { status, output, errors } = await program('openssl', [
      'ocsp',
      ...['-issuer', inFolder('issuing.pem'), '-cert', pem, '-CAfile', inFolder('chain.pem')],
      ...['-url', `${origin}/demo/ocsp`, '-nonce'],
    ])
    expect([status, errors]).toEqual([0, expect.stringContaining('Response verify OK')])
    expect(errors).not.toContain('WARNING')
    expect(output).toContain(`${pem}: ${kind}`)
    if (kind === 'revoked') expect(output).toContain('Reason: keyCompromise')
  },
)

test('we believe the same answer', () => {
  for (const kind of ['good', 'revoked'] as const) {
    const certificate = read(fileOf(kind))
    const at = now()
    const der = answerOcsp(ocspRequest(certificate, issuing), files.services.register, at)
    const evidence = { ocsp: [{ der, source: 'fetched' as const }], crls: [] }
    const question = { certificate, issuer: issuing, evidence, candidates: [], at, now: at }
    expect(judgeRevocation(question)).toMatchObject({ status: kind, source: 'ocsp' })
  }
})

test('about others, and about nothing, nothing is said', async () => {
  const { issuing: other } = await testAuthority()
  const { certificate } = await testEfirma()
  const answer = (request: Uint8Array) =>
    readOcspResponse(answerOcsp(request, files.services.register, now()))
  expect(answer(ocspRequest(certificate, other))).toEqual({
    kind: 'refused',
    status: 'unauthorized',
  })
  expect(answer(new Uint8Array([1, 2, 3]))).toEqual({
    kind: 'refused',
    status: 'malformed-request',
  })
})

test.each(['sha256', 'sha384', 'sha512'])(
  'openssl verifies a timestamp over %s',
  async (digest) => {
    const [data, query, reply] = [inFolder('data'), inFolder('query.tsq'), inFolder('reply.tsr')]
    writeFileSync(data, 'Lo que existía')
    const openssl = judge('openssl')
    openssl('ts', '-query', '-data', data, `-${digest}`, '-cert', '-out', query)
    const response = await fetch(`${origin}/demo/tsa`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/timestamp-query' },
      body: readFileSync(query),
    })
    expect(response.headers.get('Content-Type')).toBe('application/timestamp-reply')
    writeFileSync(reply, Buffer.from(await response.arrayBuffer()))
    const chain = ['-CAfile', inFolder('root.pem'), '-untrusted', inFolder('issuing.pem')]
    for (const asked of [
      ['-queryfile', query],
      ['-data', data],
    ])
      expect(openssl('ts', '-verify', ...asked, '-in', reply, ...chain)).toMatchObject({
        status: 0,
      })
    writeFileSync(data, 'Lo que nunca existió')
    expect(openssl('ts', '-verify', '-data', data, '-in', reply, ...chain)).toMatchObject({
      status: 1,
    })

    const granted = readTimeStampResponse(new Uint8Array(readFileSync(reply)))
    if (granted.kind !== 'granted') throw new Error('refused')
    const facts = verifyTimeStamp(granted.token, (name) =>
      startDigest(name).update(Buffer.from('Lo que existía')).digest(),
    )
    expect(facts).toMatchObject({ isValid: true, isBound: true })
  },
)

test('a request that cannot be met is refused as the standard says', () => {
  const openssl = judge('openssl')
  const [data, query, reply] = [inFolder('data'), inFolder('weak.tsq'), inFolder('weak.tsr')]
  writeFileSync(data, 'x')
  const cases = [
    [['-sha1'], 'unrecognized or unsupported algorithm'],
    [['-sha256', '-tspolicy', '1.2.3.4'], 'policy'],
  ] as const
  for (const [options, reason] of cases) {
    openssl('ts', '-query', '-data', data, ...options, '-out', query)
    const request = new Uint8Array(readFileSync(query))
    writeFileSync(reply, answerTimestamp(request, files.services.timestamps, now()))
    const { output } = openssl('ts', '-reply', '-in', reply, '-text')
    expect(output).toContain('Rejected')
    expect(output).toContain(reason)
  }
  const nonsense = answerTimestamp(new Uint8Array([9]), files.services.timestamps, now())
  expect(readTimeStampResponse(nonsense)).toEqual({ kind: 'refused', status: 2 })
})

test('a restart finds the same authority, services and revocation', async () => {
  const again = await makeDemoFiles(folder, now())
  expect(again.services.register.responder.certificate.der).toEqual(
    files.services.register.responder.certificate.der,
  )
  expect(again.services.register.revoked).toEqual(files.services.register.revoked)
})
