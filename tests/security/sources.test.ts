import { execFileSync, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { readZip } from '#server/domain/trust/zip-archive.ts'
import { zipOf } from '#tests/support/zip.ts'

const ROOT = path.resolve(import.meta.dirname, '../..')

const sourcesOf = (...rooms: string[]) =>
  rooms.flatMap((room) =>
    readdirSync(path.join(ROOT, room), { recursive: true, encoding: 'utf8' })
      .filter((file) => /\.tsx?$/.test(file))
      .map((file) => {
        const name = path.join(room, file)
        return { name, source: readFileSync(path.join(ROOT, name), 'utf8') }
      }),
  )

const named = (sources: { name: string; source: string }[], pattern: RegExp) =>
  sources.filter(({ source }) => pattern.test(source)).map(({ name }) => name)

/**
 * The only modules with connections: clients of authorities, the mail client, the signing agent, the database, the
 * listening server.
 */
const CONNECTED = [
  // In the browser, to the page that it stands on.
  'app/routes/audit/use-new-events.ts',
  'server/adapters/http-answer.ts',
  'server/adapters/mailer.ts',
  'server/cli/agent-server.ts',
  'server/db/postgres-dialect.ts',
  // Listens on loopback, for development alone.
  'server/dev/serve-sources.ts',
  'server/listen.ts',
  // Listens for the collector of metrics.
  'server/metrics/publish-metrics.ts',
]
/**
 * The only callers of authorities: revocation at addresses of trusted authorities, timestamps and constancias at
 * addresses that administrators configured.
 */
const ASKING = [
  'server/adapters/constancia-provider.ts',
  'server/adapters/fetched-lists.ts',
  'server/adapters/revocation-source.ts',
  'server/adapters/timestamp-authorities.ts',
]
const CONNECTING =
  /\bfetch\(|\b(?:from |import\()'(?:node:)?(?:http2?|https|net|tls|dgram|dns|undici|axios|pg|nodemailer)'|new WebSocket\(/
/** Types, and whether a text is an address, or in a network. */
const HARMLESS = /^import (?:type .*|\{ (?:BlockList, )?isIP \}) from '.*'$/gm

test('V1.3.6 outgoing calls: only to configured authorities, never to an address from a request', () => {
  const sources = sourcesOf('server', 'app/http', 'app/routes', 'app/guards').map((one) => ({
    ...one,
    source: one.source.replace(HARMLESS, ''),
  }))
  expect(named(sources, CONNECTING).toSorted()).toEqual(CONNECTED)
  expect(named(sources, /(?:from |import\()'[^']*http-answer\.ts'/).toSorted()).toEqual(ASKING)
})

const sourceOf = (name: string) => readFileSync(path.join(ROOT, name), 'utf8')

test('V11.2.4 secrets: compared in constant time', () => {
  expect(sourceOf('server/domain/crypto/csrf.ts')).toContain('timingSafeEqual')
  // Both hashes come from the database; no client chooses either.
  const harmless = 'passwordHash === passwordHash'
  const careless =
    /(?:Hash|token|mac|digest|secret|csrf)\w*\s*[!=]==?\s*(?!undefined|null|''|"")\w*(?:[Hh]ash|[Tt]oken|[Mm]ac|[Dd]igest|[Ss]ecret)\b/
  for (const line of ['tokenHash === storedHash', 'session.csrf !== sentToken', 'mac==ownMac'])
    expect([line, careless.test(line)]).toEqual([line, true])
  expect(
    named(
      sourcesOf(
        'server/domain/crypto',
        'server/domain/identity',
        'server/features/mfa',
        'app/http',
      ).map((one) => ({ ...one, source: one.source.replaceAll(harmless, '') })),
      careless,
    ),
  ).toEqual([])
})

/**
 * Modules that name a broken hash: to read and refuse foreign signatures, or because a code or key file standard
 * requires it.
 */
const OLD_HASHES = [
  /^server\/domain\/(?:asn1|x509|pkcs|efirma|trust|cms|verification|timestamp|revocation|pdf)\//,
  // Says what a foreign signature lacks.
  /^server\/words\/verification\/signatures\.ts$/,
  /^server\/domain\/identity\/totp\.ts$/,
  // Shows the fingerprint and the algorithm that other programs show of a certificate.
  /^app\/routes\/certificates\//,
  // The demo's authority writes certificates and keys as the SAT does.
  /^server\/demo\/(?:certificate-minting|encrypt-private-key|revocation-minting)\.ts$/,
]

test('V11.4.1 hashes: our own data is never hashed with MD5 or SHA-1', () => {
  const found = named(sourcesOf('server', 'app'), /\b(?:md5|sha-?1)\b/i)
  expect(found, 'the pattern finds what it looks for').toContain('server/domain/identity/totp.ts')
  expect(found.filter((name) => !OLD_HASHES.some((known) => known.test(name)))).toEqual([])
})

test('V13.3.1 sources: contain no secret', () => {
  const files = execFileSync('git', ['ls-files', '-z'], { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const name of ['package.json', 'server/main.ts', 'app/root.tsx', 'docs/asvs.md'])
    expect(files).toContain(name)
  const isKeyFile = (name: string) =>
    // The example names the variables and has no values that open anything.
    /(?:^|\/)(?:\.env(?!\.example$)(?:\..*)?|.*\.(?:key|p12|pfx|pem|sqlite))$/.test(name)
  for (const planted of ['.env', 'a/.env.local', 'a/b.key', 'b.p12', 'b.pfx', 'b.pem', 'b.sqlite'])
    expect([planted, isKeyFile(planted)]).toEqual([planted, true])
  expect(files.filter((name) => isKeyFile(name) && !name.startsWith('tests/'))).toEqual([])
  const secret = /-----BEGIN [A-Z ]*PRIVATE KEY-----\n|AKIA[0-9A-Z]{16}|gh[pousr]_\w{36}/
  for (const planted of [
    '-----BEGIN PRIVATE KEY-----\n',
    '-----BEGIN EC PRIVATE KEY-----\n',
    `AKIA${'A'.repeat(16)}`,
    `ghp_${'a'.repeat(36)}`,
  ])
    expect([planted, secret.test(planted)]).toEqual([planted, true])
  const telling = files
    .filter(
      (name) => /\.(?:ts|tsx|js|mjs|json|md|yml|css)$/.test(name) && !name.startsWith('tests/'),
    )
    .filter((name) => secret.test(sourceOf(name)))
  expect(telling).toEqual([])
})

test('V15.1.2 bill of materials: npm builds it offline', () => {
  const made = spawnSync('npm', ['sbom', '--sbom-format', 'cyclonedx', '--package-lock-only'], {
    cwd: ROOT,
    encoding: 'utf8',
    maxBuffer: 64 << 20,
    env: { ...process.env, npm_config_offline: 'true' },
  })
  expect(made.status, made.stderr).toBe(0)
  const { bomFormat, components } = JSON.parse(made.stdout)
  expect(bomFormat).toBe('CycloneDX')
  const names = components.map(({ name }: { name: string }) => name)
  const { dependencies } = JSON.parse(sourceOf('package.json'))
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
})

test('V15.2.4 packages: all come from one registry and have an integrity hash', () => {
  const { packages } = JSON.parse(sourceOf('package-lock.json'))
  type Locked = { resolved?: string; integrity?: string; link?: boolean }
  const entries = Object.entries(packages as Record<string, Locked>).filter(([name]) => name !== '')
  const { dependencies, devDependencies } = JSON.parse(sourceOf('package.json'))
  for (const name of Object.keys({ ...dependencies, ...devDependencies }))
    expect(entries.map(([folder]) => folder)).toContain(`node_modules/${name}`)
  for (const [name, { resolved, integrity, link }] of entries) {
    expect([name, link]).toEqual([name, undefined])
    expect([name, integrity]).toEqual([name, expect.stringMatching(/^sha512-/)])
    // Without one npm uses its default registry, unless configured otherwise.
    expect([name, resolved]).toEqual([name, undefined])
  }
  expect(sourceOf('.npmrc')).not.toMatch(/^\s*(?:@[\w-]+:)?registry\s*=/m)
})

test('V16.5.4 uncaught error: logged as one line, then the process ends', () => {
  const program = `
    import pino from 'pino'
    import { exitOnUncaught } from '${path.join(ROOT, 'server/web/exit-on-uncaught.ts')}'
    const lines = pino.destination({ dest: 2, sync: false })
    exitOnUncaught(pino({}, lines), () => lines.flushSync())
    setTimeout(() => console.log('still here'), 2_000)
    setTimeout(() => void Promise.reject(new Error('this promise is not awaited')), 50)`
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', program],
    { cwd: ROOT, encoding: 'utf8' },
  )
  expect([status, stdout]).toEqual([1, ''])
  const line = JSON.parse(stderr)
  expect(line).toMatchObject({
    level: 60,
    msg: 'uncaught',
    err: { message: 'this promise is not awaited' },
  })
})

test('V5.2.5 archives: a symbolic link is the bytes of its target, and no file is made', async () => {
  const target = new Uint8Array(Buffer.from('/etc/passwd'))
  const link = {
    name: 'raiz.cer',
    bytes: target,
    method: 'stored',
    attributes: (0o120777 << 16) >>> 0,
  } as const
  expect(await readZip(zipOf([link]))).toEqual([{ name: 'raiz.cer', bytes: target }])
  expect(sourceOf('server/domain/trust/zip-archive.ts')).not.toMatch(/'node:fs|'node:child_process/)
})

test('V5.3.3 unpacking: a name that leads out of a folder is refused', async () => {
  for (const name of [
    '../raiz.cer',
    '/etc/raiz.cer',
    'a/../../raiz.cer',
    'C:\\raiz.cer',
    'a\\..\\raiz.cer',
  ])
    await expect(
      readZip(zipOf([{ name, bytes: new Uint8Array(1), method: 'stored' }])),
      name,
    ).rejects.toThrow(RangeError)
})

test('V6.7.1 attestation: its roots are those of the installed library, and it grants nothing', () => {
  const sources = sourcesOf('server', 'app')
  expect(named(sources, /SettingsService|setRootCertificates|MetadataService/)).toEqual([])
  // It is kept beside the credential, and read by no rule.
  const naming = named(sources, /\battestation\b/).toSorted()
  expect(naming.filter((file) => !OF_YUBIKEYS.test(file))).toEqual(ATTESTATION)
  // Those of the inventory count for what a page says: no sign-in, no presence and no signature reads them.
  const reading = named(sources, /maker_certificates|yubikey_attestations|judgeAttestation/)
  expect(reading.filter((file) => !/yubikeys/.test(file))).toEqual(['server/db/tables.ts'])
  const lock = JSON.parse(sourceOf('package-lock.json')) as {
    packages: Record<string, { integrity?: string }>
  }
  expect(lock.packages['node_modules/@simplewebauthn/server']?.integrity).toMatch(/^sha512-/)
})

/** The inventory of physical keys, and what serves it beside others. */
const OF_YUBIKEYS =
  /yubikey|certificates\/keys\/|^app\/(?:routes|messages\/notices)\.ts$|object-identifiers|pdf-work/

/** The question, the answer's shape, the check of its signature, and the stored bytes. */
const ATTESTATION = [
  'server/adapters/webauthn.ts',
  'server/db/factors/webauthn-credentials.ts',
  'server/db/migrations/0004-coming-in.ts',
  'server/db/tables/factors.ts',
  'server/domain/identity/webauthn-answer.ts',
  'server/domain/identity/webauthn-options.ts',
  'server/features/mfa/finish-webauthn-registration.ts',
  'server/ports/webauthn.ts',
]
