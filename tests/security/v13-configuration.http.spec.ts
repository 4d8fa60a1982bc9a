import { expect, test } from './support/suite.ts'

const nowhere = (id: string, what: string, paths: readonly string[]) =>
  test(`${id} ${what}`, async ({ enter, visitor, newcomer }) => {
    for (const client of [visitor(), await enter(newcomer)])
      for (const path of paths) {
        const { status } = await client.get(path)
        expect([path, status]).toEqual([path, 404])
      }
  })

nowhere('V13.4.1', 'build files, sources and version control: not served', [
  '/.git/HEAD',
  '/.git/config',
  '/.gitignore',
  '/.env',
  '/.npmrc',
  '/package.json',
  '/package-lock.json',
  '/server/main.ts',
  '/build/server/index.js',
  '/tests/run.ts',
  '/node_modules/express/package.json',
])

test('V13.4.2 error pages: reveal no internals', async ({ enter, visitor, newcomer }) => {
  const client = await enter(newcomer)
  for (const path of [
    '/@vite/client',
    '/@fs/etc/passwd',
    '/assets/root.js.map',
    '/__test/clock',
    '/debug',
  ])
    expect([path, (await visitor().get(path)).status]).toEqual([path, 404])
  for (const [path, wanted] of [
    ['/%ff', 404],
    ['/dashboard/documents/%00', 404],
    ['/%', 404],
    ['/dashboard/documents.data?_routes=%ff', 200],
    ['/verify/%E0%A4%A', 404],
    ['/dashboard/documents?behind=999999999999999999', 200],
  ] as const) {
    const { status, text } = await client.get(path)
    expect([path, status]).toEqual([path, wanted])
    expect(text).not.toMatch(/\bat (?:[\w.<>]+ \()?(?:file:|node:|\/)|node_modules|SQLITE_/)
  }
})

nowhere('V13.4.3', 'directories: not listed', [
  '/assets/',
  '/assets',
  '/public/',
  '/build/',
  '/demo/',
  '/blobs/',
])

test('V13.4.4 TRACE: refused', async ({ visitor }) => {
  const client = visitor()
  for (const path of ['/', '/login', '/api/v1/auth/health', '/assets/x.js']) {
    const { status, text } = await client.raw(path, {
      method: 'TRACE',
      headers: { 'X-Secret': 'geheim' },
    })
    expect([path, status]).toEqual([path, 405])
    expect(text).not.toContain('geheim')
  }
})

test('V13.4.5 documentation of the API: only for a session', async ({
  enter,
  visitor,
  newcomer,
}) => {
  const stranger = visitor()
  for (const address of ['/api/v1/openapi.json', '/api/v1/openapi.json?a=b']) {
    const { status, text } = await stranger.get(address)
    expect([address, status]).toEqual([address, 401])
    // Nothing of it: neither its version nor a path.
    expect([address, /openapi|\/auth\//.exec(text)?.[0]]).toEqual([address, undefined])
  }
  const described = await (await enter(newcomer)).get('/api/v1/openapi.json')
  expect(described.status).toBe(200)
  expect(JSON.parse(described.text).openapi).toMatch(/^3\.1\./)
})

nowhere('V13.4.5', 'metrics: not on the public port, nor a second place for documentation', [
  '/metrics',
  '/status',
  '/server-status',
  '/openapi.json',
  '/swagger',
  '/docs',
  '/__manifest.json',
  '/admin',
])

test('V13.4.5 health: says whether there is one, and nothing else', async ({ visitor }) => {
  for (const path of ['/healthz', '/readyz']) {
    const { status, text } = await visitor().get(path)
    expect([path, status, text]).toEqual([path, 200, 'ok\n'])
  }
})

test('V13.4.6 answers: reveal no product or version', async ({ enter, visitor, newcomer }) => {
  const { tour } = await import('./support/tour.ts')
  for (const [what, { headers }] of await tour(await enter(newcomer), visitor())) {
    const telling = ['server', 'x-powered-by', 'via', 'x-aspnet-version', 'x-runtime'].filter(
      (name) => headers[name] !== undefined,
    )
    expect([what, telling]).toEqual([what, []])
  }
})

nowhere('V13.4.7', 'files outside the build: not served', [
  '/assets/x.bak',
  '/assets/x.js~',
  '/favicon.svg.bak',
  '/favicon.svg.br',
  '/robots.txt.gz',
  '/assets/../package.json',
  '/favicon.svg/',
])
