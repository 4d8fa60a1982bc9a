import { once } from 'node:events'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { createServer, get, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import express from 'express'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { securityHeaders } from '#server/web/security-headers.ts'
import { staticFiles } from '#server/web/static-files.ts'

const server = createServer()

beforeAll(async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-files-'))
  mkdirSync(path.join(folder, 'assets'))
  for (const ending of ['', '.gz', '.br'])
    writeFileSync(path.join(folder, `assets/root-1.js${ending}`), `export {}${ending}`)
  const app = express()
    .use(securityHeaders({ isHttps: true }), staticFiles(folder))
    .use((_, response) => void response.status(404).send('<!doctype html>'))
  server.on('request', app).listen(0, '127.0.0.1')
  await once(server, 'listening')
})
afterAll(() => server.close())

const addressOf = (to: string) => `http://127.0.0.1:${(server.address() as AddressInfo).port}${to}`
const ask = (to: string) => fetch(addressOf(to))

test('built file: may do nothing, and has none of the headers that only a document heeds', async () => {
  const { status, headers } = await ask('/assets/root-1.js')
  expect(status).toBe(200)
  expect(headers.get('content-security-policy')).toBe(
    `default-src 'none'; frame-ancestors 'none'; sandbox`,
  )
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('cross-origin-resource-policy')).toBe('same-origin')
  expect(headers.get('strict-transport-security')).toContain('max-age=63072000')
  const ofDocuments = ['cross-origin-opener-policy', 'x-frame-options', 'permissions-policy']
  expect(ofDocuments.filter((name) => headers.has(name))).toEqual([])
})

test('page about a missing file: has the policy of a page', async () => {
  const { status, headers } = await ask('/assets/root-2.js')
  expect(status).toBe(404)
  expect(headers.get('content-security-policy')).toContain(`script-src 'nonce-`)
  expect(headers.get('x-frame-options')).toBe('DENY')
})

test.each([
  ['gzip, deflate, br, zstd', 'br'],
  ['br;q=0.5, gzip', 'br'],
  ['gzip, br;q=0', 'gzip'],
  ['gzip, deflate', 'gzip'],
  ['identity', undefined],
  ['', undefined],
])('built file: a browser that accepts "%s" gets %s', async (accepted, encoding) => {
  const answer = get(addressOf('/assets/root-1.js'), { headers: { 'Accept-Encoding': accepted } })
  const [response] = (await once(answer, 'response')) as [IncomingMessage]
  expect(response.headers['content-encoding']).toBe(encoding)
  expect(response.headers.vary).toContain('Accept-Encoding')
  const ending = { br: '.br', gzip: '.gz' }[encoding ?? ''] ?? ''
  expect(await text(response)).toBe(`export {}${ending}`)
})
