import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import http, { type IncomingHttpHeaders } from 'node:http'
import https from 'node:https'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, test } from '@playwright/test'
import { NAME, type Pair, selfSigned } from '#tests/support/authorities/tls.ts'
import { judge } from '#tests/support/judges.ts'
import { freePort, startServer } from '#tests/support/processes/server-process.ts'

/* The files of docs/deploy, with ports, names and certificates of this machine in place of an operator's. */

const DEPLOY = path.resolve(import.meta.dirname, '../../../docs/deploy')
const read = (name: string) => readFileSync(path.join(DEPLOY, name), 'utf8')

/** Every address that begins with 127 is this machine. */
const VISITOR = '127.0.0.2'

type Ports = { tls: number; plain: number; server: number }

/** Replaces what an operator replaces; fails where the file does not have it. */
function withOurs(text: string, changes: readonly (readonly [string | RegExp, string])[]): string {
  return changes.reduce((changed, [from, to]) => {
    const next = changed.replaceAll(from, to)
    if (next === changed) throw new Error(`the file has no ${from}`)
    return next
  }, text)
}

function nginxFolder(folder: string, pair: Pair, ports: Ports): string[] {
  const site = withOurs(read('nginx.conf'), [
    [/listen \[::\].*;\n/g, ''],
    ['listen 80;', `listen 127.0.0.1:${ports.plain};`],
    ['listen 443 ssl', `listen 127.0.0.1:${ports.tls} ssl`],
    ['rubrica.notaria.mx', NAME],
    ['/etc/ssl/rubrica/chain.pem', pair.certificate],
    ['/etc/ssl/rubrica/key.pem', pair.key],
    ['127.0.0.1:3000', `127.0.0.1:${ports.server}`],
  ])
  writeFileSync(path.join(folder, 'site.conf'), site)
  const own = [
    ...['daemon off;', `pid ${folder}/pid;`, `error_log ${folder}/error.log;`, 'events {}'],
    `http { access_log off; client_body_temp_path ${folder}/body; proxy_temp_path ${folder}/proxy;`,
    `fastcgi_temp_path ${folder}/f; uwsgi_temp_path ${folder}/u; scgi_temp_path ${folder}/s;`,
    `include ${folder}/site.conf; }`,
  ]
  writeFileSync(path.join(folder, 'nginx.conf'), own.join('\n'))
  return ['nginx', '-e', path.join(folder, 'error.log'), '-c', path.join(folder, 'nginx.conf')]
}

function caddyFolder(folder: string, pair: Pair, ports: Ports): string[] {
  const site = withOurs(read('Caddyfile'), [
    [
      '{$SITE:rubrica.notaria.mx} {',
      `https://${NAME}:${ports.tls} {\n\ttls ${pair.certificate} ${pair.key}`,
    ],
    ['{$RUBRICA:127.0.0.1:3000}', `127.0.0.1:${ports.server}`],
  ])
  const own = `{\n\tadmin off\n\tauto_https off\n\tdefault_bind 127.0.0.1\n}\n`
  writeFileSync(path.join(folder, 'Caddyfile'), own + site)
  return ['caddy', 'run', '--config', path.join(folder, 'Caddyfile'), '--adapter', 'caddyfile']
}

type Answer = { status: number; headers: IncomingHttpHeaders }

function ask(
  { tls }: Ports,
  { ca }: Pair,
  address: string,
  { method = 'GET', headers = {} }: { method?: string; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const options = {
    ...{ host: '127.0.0.1', localAddress: VISITOR, port: tls, path: address, method, ca },
    ...{ servername: NAME, agent: false as const, headers: { Host: NAME, ...headers } },
  }
  return new Promise((resolve) => {
    const request = https.request(options, (response) => {
      response.resume()
      resolve({ status: response.statusCode ?? 0, headers: response.headers })
    })
    request.once('error', () => resolve({ status: 0, headers: {} }))
    request.end()
  })
}

for (const [name, prepare] of [
  ['nginx', nginxFolder],
  ['Caddy', caddyFolder],
] as const)
  test(`deployed behind ${name}: pages, the visitor's address, and no request for a server that ends`, async () => {
    test.setTimeout(120_000)
    const pair = selfSigned()
    const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-deployed-'))
    const ports = { tls: await freePort(), plain: await freePort(), server: await freePort() }
    const server = await startServer('start', {
      ...{ PORT: String(ports.server), PUBLIC_ORIGIN: `https://${NAME}`, DRAIN_SECONDS: '3' },
      TRUST_PROXY: '127.0.0.1',
    })
    const [program = '', ...options] = prepare(folder, pair, ports)
    const env = { PATH: process.env.PATH, HOME: folder, XDG_DATA_HOME: folder }
    const proxy = spawn(program, options, { env, stdio: 'ignore' })
    const gone = new Promise((resolve) => proxy.once('exit', resolve).once('error', resolve))
    try {
      const page = async () => (await ask(ports, pair, '/verify/document')).status
      await expect.poll(page).toBe(200)
      expect((await ask(ports, pair, '/readyz')).status).toBe(200)
      const { headers } = await ask(ports, pair, '/verify/document')
      expect(headers['strict-transport-security']).toBeDefined()

      // A foreign form is refused, and the log names the visitor, whatever they say.
      const forged = { Origin: 'https://otro.example', 'X-Forwarded-For': '203.0.113.9' }
      const refused = await ask(ports, pair, '/login', { method: 'POST', headers: forged })
      expect(refused.status).toBe(403)
      const line = () => /"status":403.*/.exec(server.logged())?.[0]
      await expect.poll(line).toContain(`"ip":"${VISITOR}"`)
      expect(server.logged()).not.toContain('203.0.113.9')

      const tooLarge = { 'Content-Length': String(330 * 1024 * 1024), Origin: `https://${NAME}` }
      const sent = await ask(ports, pair, '/verify/document', { method: 'POST', headers: tooLarge })
      expect([0, 400, 413]).toContain(sent.status)

      process.kill(server.pid, 'SIGTERM')
      // nginx learns it from the closed port, Caddy asks /readyz.
      await expect
        .poll(async () => [502, 503].includes(await page()), { timeout: 20_000 })
        .toBe(true)
    } finally {
      proxy.kill('SIGTERM')
      await gone
      await server.stop()
      pair.remove()
      rmSync(folder, { recursive: true, force: true })
    }
  })

test('nginx file: sends a visitor without TLS to https', async () => {
  const pair = selfSigned()
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-deployed-'))
  const ports = { tls: await freePort(), plain: await freePort(), server: await freePort() }
  const [program = '', ...options] = nginxFolder(folder, pair, ports)
  const proxy = spawn(program, options, { stdio: 'ignore' })
  const gone = new Promise((resolve) => proxy.once('exit', resolve).once('error', resolve))
  try {
    const location = () =>
      new Promise<string | undefined>((resolve) => {
        const { plain: port } = ports
        const asked = { host: '127.0.0.1', port, path: '/verify/document', headers: { Host: NAME } }
        http
          .get(asked, (response) => resolve(response.resume().headers.location))
          .once('error', () => resolve(undefined))
      })
    await expect.poll(location).toBe(`https://${NAME}/verify/document`)
  } finally {
    proxy.kill('SIGTERM')
    await gone
    pair.remove()
    rmSync(folder, { recursive: true, force: true })
  }
})

test('systemd unit: is a valid one, and exposes at most 2.0', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'rubrica-unit-'))
  try {
    // The program need not be on this machine.
    const unit = path.join(folder, 'rubrica.service')
    writeFileSync(unit, withOurs(read('rubrica.service'), [['/usr/bin/node', process.execPath]]))
    const analyze = judge('systemd-analyze')
    const verified = analyze('verify', '--man=no', unit)
    expect([verified.status, verified.errors]).toEqual([0, ''])
    const { output } = analyze('security', '--offline=true', '--no-pager', unit)
    const level = /Overall exposure level for rubrica\.service: (\d+\.\d+)/.exec(output)?.[1]
    expect(Number(level)).toBeLessThanOrEqual(2)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
