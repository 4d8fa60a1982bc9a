import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { importsOf, ROOT, resolved, sourceOf, sourcesIn } from './architecture/sources.ts'

/*
 * The import table of the architecture as data. A file in a folder without a room fails,
 * so that a new folder is a decision and not an accident.
 */

/** Rooms of the domain whose code may run in a browser. They use no `node:` module. */
const BROWSER_SAFE = ['text', 'asn1', 'x509', 'pkcs', 'efirma'].map(
  (room) => `server/domain/${room}`,
)

/** Inside the domain each room may import the rooms that stand before it. */
const DOMAIN = [
  'text',
  'asn1',
  'x509',
  'pkcs',
  'efirma',
  'crypto',
  'age',
  'identity',
  'policy',
  'documents',
  'offices',
  'calendar',
  'reports',
  'installation',
  'backups',
  'trust',
  'yubikeys',
  'cms',
  'timestamp',
  'revocation',
  'pdf',
  'verification',
  'signing',
  'obligations',
  'audit',
  'alerts',
  'mail',
  'care',
].map((room) => `server/domain/${room}`)
const GROUND = 'server/domain'
const DOMAIN_ALL = [GROUND, ...DOMAIN]

const FEATURES = [
  'auth',
  'mfa',
  'documents',
  'copies',
  'signing-sessions',
  'rejections',
  'parties',
  'acts',
  'checklists',
  'numbers',
  'guests',
  'signatures',
  'presence',
  'constancias',
  'archives',
  'evidence',
  'verification',
  'certificates',
  'yubikeys',
  'backups',
  'users',
  'offices',
  'audit',
  'care',
  'arco',
  'retention',
  'installation',
  'reports',
  'obligations',
  'alerts',
  'mail',
].map((room) => `server/features/${room}`)

const DB = [
  'people',
  'care',
  'sign-ins',
  'factors',
  'documents',
  'signing-sessions',
  'presence',
  'trust',
  'yubikeys',
  'audit',
  'reports',
  'obligations',
  'backups',
  'mail',
  'alerts',
].map((subject) => `server/db/${subject}`)
const DB_ALL = ['server/db', ...DB]

const STEPS = [
  'policy',
  'audit',
  'mail',
  'alerts',
  'factors',
  'sign-ins',
  'signing',
  'judgements',
  'documents',
].map((subject) => `server/steps/${subject}`)

/**
 * Domain codes in Spanish, one table a subject. They import the ground to print times and quote names; modules for the browser
 * import types only, as the build checks.
 */
const WORDS = ['server/words', 'server/words/mail', 'server/words/reports', 'server/words/care']

type Rule = {
  may: readonly string[]
  /** Rooms of which only types may be imported. */
  typesOf?: readonly string[]
}

const ROUTE_FOLDERS = [
  'public',
  'verification',
  'auth',
  'mfa',
  'dashboard',
  'documents',
  'signing',
  'reader',
  'certificates',
  'users',
  'audit',
  'reports',
  'care',
  'alerts',
  'search',
  'settings',
  'profile',
  'obligations',
  'api',
].map((room) => `app/routes/${room}`)
/** Loads what the reader shows, for the pages of every subject. */
const READER = 'app/routes/reader'

const RULES: Record<string, Rule> = {
  ...Object.fromEntries(
    ROUTE_FOLDERS.map((room) => [
      room,
      {
        may: [
          ...['app/http', 'app/ui', 'app/messages', 'app/islands'],
          ...(room === READER ? [] : [READER]),
          ...WORDS,
          ...FEATURES,
          ...DOMAIN_ALL,
        ],
      },
    ]),
  ),
  'app/guards': {
    may: [
      'app/http',
      'app/ui',
      'app/messages',
      'server/features/auth',
      ...WORDS,
      GROUND,
      ...DOMAIN,
    ],
  },
  'app/http': {
    may: ['app/messages', 'server/features/auth', ...WORDS, ...DOMAIN_ALL],
    typesOf: ['server/system.ts', 'server/web'],
  },
  'app/ui': {
    may: ['app/client', 'app/messages', 'app/islands', 'app/hydrated-paths.ts', ...WORDS],
    typesOf: [...DOMAIN_ALL, 'app/http'],
  },
  'app/islands': { may: [...BROWSER_SAFE, 'server/words'], typesOf: [GROUND] },
  'app/client': { may: ['app/messages', ...WORDS] },
  'app/theme': { may: [] },
  'app/messages': { may: [], typesOf: DOMAIN_ALL },
  'app/routes.ts': { may: [] },
  'app/hydrated-paths.ts': { may: [] },
  'app/root.tsx': {
    may: [
      'app/client',
      'app/http',
      'app/ui',
      'app/theme',
      'app/messages',
      'app/guards',
      'app/hydrated-paths.ts',
    ],
  },
  'app/entry.client.tsx': { may: ['app/client', 'app/ui'] },
  'app/entry.server.tsx': { may: ['app/http', 'app/ui'], typesOf: ['server/web'] },

  [GROUND]: { may: [] },
  ...Object.fromEntries(
    DOMAIN.map((room, index) => [room, { may: [GROUND, ...DOMAIN.slice(0, index)] }]),
  ),
  // Browser-safe rooms stand on the ground's types alone: the rest of it uses Buffer and zod.
  ...Object.fromEntries(
    BROWSER_SAFE.map((room, index) => [
      room,
      { may: BROWSER_SAFE.slice(0, index), typesOf: [GROUND] },
    ]),
  ),
  ...Object.fromEntries(
    DB_ALL.map((room) => [
      room,
      { may: ['server/db/migrations', 'server/db/tables', ...DB_ALL, ...DOMAIN_ALL] },
    ]),
  ),
  ...Object.fromEntries(
    STEPS.map((room) => [
      room,
      {
        may: [...DB_ALL, ...STEPS, ...WORDS, ...DOMAIN_ALL],
        typesOf: ['server/ports', 'server/system.ts'],
      },
    ]),
  ),
  'server/db/tables': { may: [], typesOf: [GROUND] },
  'server/db/migrations': { may: [] },
  ...Object.fromEntries(
    WORDS.map((room) => [
      room,
      { may: [GROUND, 'server/domain/text', ...WORDS], typesOf: DOMAIN_ALL },
    ]),
  ),
  'server/ports': { may: [], typesOf: DOMAIN_ALL },
  'server/system.ts': {
    may: [],
    typesOf: ['server/ports', 'server/db', 'server/db/audit', ...DOMAIN_ALL],
  },
  ...Object.fromEntries(
    FEATURES.map((room) => [
      room,
      {
        may: [...STEPS, ...DB_ALL, ...WORDS, ...DOMAIN_ALL],
        typesOf: ['server/ports', 'server/system.ts'],
      },
    ]),
  ),
  'server/adapters': {
    may: [
      'server/adapters/blobs',
      'server/adapters/pdf-work',
      'server/adapters/pkcs11',
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/ports'],
  },
  'server/adapters/backups': {
    may: ['server/adapters', 'server/adapters/blobs', ...DOMAIN_ALL],
    typesOf: ['server/ports'],
  },
  'server/adapters/pkcs11': { may: [...DOMAIN_ALL] },
  'server/adapters/reports': {
    may: ['server/adapters', ...DOMAIN_ALL],
    typesOf: ['server/ports'],
  },
  'server/adapters/blobs': { may: ['server/adapters', ...DOMAIN_ALL], typesOf: ['server/ports'] },
  'server/adapters/pdf-work': {
    may: ['server/adapters', 'server/adapters/blobs', ...DOMAIN_ALL],
    typesOf: ['server/ports'],
  },
  'server/metrics': { may: [GROUND] },
  'server/web': { may: [GROUND, 'server/words'], typesOf: ['server/metrics'] },
  'server/dev': { may: [], typesOf: ['server/app.ts', 'server/web'] },
  'server/environment.ts': { may: [] },
  'server/config.ts': { may: ['server/environment.ts'] },
  'server/listen.ts': { may: ['server/config.ts'] },
  'server/unusable-installation.ts': {
    may: ['server/config.ts', 'server/adapters', ...DB_ALL, 'server/domain/installation'],
  },
  'server/installation-identity.ts': {
    may: [
      'server/config.ts',
      ...DB_ALL,
      'server/adapters',
      'server/features/installation',
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/ports', 'server/system.ts'],
  },
  'server/compose.ts': {
    may: [
      'server/config.ts',
      'server/installation-identity.ts',
      'server/unusable-installation.ts',
      ...DB_ALL,
      'server/adapters',
      'server/adapters/blobs',
      'server/adapters/reports',
      'server/metrics',
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/system.ts'],
  },
  'server/demo': {
    may: [
      'server/demo/year',
      'server/adapters',
      'server/adapters/pdf-work',
      ...DB_ALL,
      'server/compose.ts',
      'server/config.ts',
      ...FEATURES,
      ...WORDS,
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/ports', 'server/system.ts'],
  },
  'server/demo/year': {
    may: ['server/demo', 'server/adapters', ...DB_ALL, ...FEATURES, ...DOMAIN_ALL],
    typesOf: ['server/system.ts'],
  },
  'server/cli': {
    may: [
      'server/cli/backups',
      'server/cli/commands',
      'server/compose.ts',
      'server/config.ts',
      'server/installation-identity.ts',
      'server/unusable-installation.ts',
      'server/adapters',
      'server/adapters/blobs',
      'server/adapters/pdf-work',
      ...DB_ALL,
      ...FEATURES,
      ...WORDS,
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/ports', 'server/system.ts'],
  },
  'server/cli/backups': {
    may: [
      'server/cli',
      'server/cli/commands',
      'server/compose.ts',
      'server/config.ts',
      'server/installation-identity.ts',
      'server/adapters',
      'server/adapters/backups',
      ...DB_ALL,
      ...FEATURES,
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/ports', 'server/system.ts'],
  },
  'server/cli/commands': { may: [] },
  'server/jobs': {
    may: ['server/compose.ts', ...FEATURES, ...DOMAIN_ALL],
    typesOf: ['server/metrics', 'server/system.ts'],
  },
  'server/app.ts': { may: ['app/http'], typesOf: ['server/system.ts', 'server/web'] },
  'server/main.ts': {
    may: [
      'server/compose.ts',
      'server/config.ts',
      'server/jobs',
      'server/listen.ts',
      'server/web',
      'server/demo',
      'server/dev',
      'server/adapters',
      'server/metrics',
      'server/features/auth',
      'server/features/installation',
      ...DOMAIN_ALL,
    ],
    typesOf: ['server/system.ts'],
  },
}

/** The only packages that an island may carry. */
const ISLAND_PACKAGES = ['des.js', '@simplewebauthn/browser']
/** The only packages that the domain may use; none of them reaches a file, the network or a clock as it is used there. */
const DOMAIN_PACKAGES = [
  'zod',
  'node:crypto',
  'node:net',
  'node:zlib',
  'des.js',
  'uqr',
  'otplib',
  'yauzl',
]

/** The only modules that open transactions: the migrations run before any, and so does a restore. */
const OPENERS = new Set([
  'server/db/database.ts',
  'server/db/migrate.ts',
  'server/db/restore-rows.ts',
])

const files = ['app', 'server'].flatMap(sourcesIn)

/** The most particular room in which a file stands. */
function roomOf(file: string): string | undefined {
  return Object.keys(RULES)
    .filter((room) => file === room || file.startsWith(`${room}/`))
    .sort((a, b) => b.length - a.length)[0]
}

const imports = files.flatMap(importsOf)
const inside = imports
  .map((one) => ({ ...one, to: resolved(one) }))
  .filter((one) => one.to !== undefined && !one.to.includes('+types'))

test('every file is in a known room', () => {
  expect(files.length).toBeGreaterThan(0)
  expect(files.filter((file) => roomOf(file) === undefined)).toEqual([])
  // The ground is a few single files; a new folder of the domain must be named above.
  expect(files.filter((file) => roomOf(file) === GROUND && file.split('/').length > 3)).toEqual([])
})

test('imports follow the table of rooms', () => {
  const forbidden = inside.filter((one) => {
    const from = roomOf(one.file)
    const to = roomOf(one.to ?? '')
    if (!from || !to || from === to) return from === undefined || to === undefined
    const rule = RULES[from]
    return !rule?.may.includes(to) && !(one.isType && rule?.typesOf?.includes(to))
  })
  expect(forbidden.map((one) => `${one.file} → ${one.to}`)).toEqual([])
})

test('imports: a relative path stays in the folder of its file', () => {
  const climbing = ['app', 'server', 'tests'].flatMap((top) =>
    readdirSync(path.join(ROOT, top), { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile() && /\.(?:tsx?|mjs)$/.test(entry.name))
      .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
      .filter((file) => /(?:\bfrom|\bimport\(?|\bmock\()\s*['"]\.\.\//.test(sourceOf(file))),
  )
  expect(climbing).toEqual([])
})

test('imports form no circle', () => {
  const graph = new Map<string, string[]>()
  for (const one of inside) graph.set(one.file, [...(graph.get(one.file) ?? []), one.to ?? ''])
  const done = new Set<string>()
  const circles: string[] = []
  const walk = (file: string, trail: string[]) => {
    if (trail.includes(file)) circles.push([...trail.slice(trail.indexOf(file)), file].join(' → '))
    if (done.has(file) || trail.includes(file)) return
    for (const next of graph.get(file) ?? []) walk(next, [...trail, file])
    done.add(file)
  }
  for (const file of graph.keys()) walk(file, [])
  expect(circles).toEqual([])
})

test('the domain uses few packages', () => {
  const foreign = imports.filter(
    (one) => one.file.startsWith('server/domain/') && resolved(one) === undefined,
  )
  expect(
    foreign
      .filter((one) => !DOMAIN_PACKAGES.includes(one.target))
      .map((one) => `${one.file} → ${one.target}`),
  ).toEqual([])
})

const isBrowserSafe = (file: string) => BROWSER_SAFE.some((room) => file.startsWith(`${room}/`))

/** The only words that an island may import: sentences about the e.firma. */
const WORDS_OF_ISLANDS = ['server/words/efirma.ts']

test('an island imports only itself, browser-safe rooms and the words of the e.firma', () => {
  const islands = files.filter((file) => file.startsWith('app/islands/'))
  const seen = new Set<string>()
  const outside: string[] = []
  const walk = (file: string) => {
    if (seen.has(file)) return
    seen.add(file)
    for (const one of importsOf(file)) {
      const to = resolved(one)
      if (one.isType) continue
      if (to === undefined) {
        if (!ISLAND_PACKAGES.includes(one.target)) outside.push(`${file} → ${one.target}`)
      } else if (
        to.startsWith('app/islands/') ||
        isBrowserSafe(to) ||
        WORDS_OF_ISLANDS.includes(to)
      )
        walk(to)
      else outside.push(`${file} → ${to}`)
    }
  }
  for (const island of islands) walk(island)
  expect(outside).toEqual([])
})

test('development: only `npm run dev` loads it, and it alone loads Vite', () => {
  const ways = inside.filter(
    ({ file, to }) => to?.startsWith('server/dev/') && !file.startsWith('server/dev/'),
  )
  expect(ways.map(({ file }) => file)).toEqual(['server/main.ts'])
  const main = readFileSync(path.join(ROOT, 'server/main.ts'), 'utf8')
  expect(main).toContain("await import('./dev/serve-sources.ts')")
  const vite = imports.filter(({ target, isType }) => target === 'vite' && !isType)
  expect(vite.map(({ file }) => file)).toEqual(['server/dev/serve-sources.ts'])
})

test('development: every library that the browser loads is prepared before it asks', () => {
  const config = readFileSync(path.join(ROOT, 'vite.config.ts'), 'utf8')
  const [, list = ''] = /BROWSER_LIBRARIES = \[([^\]]*)\]/.exec(config) ?? []
  const prepared = [...list.matchAll(/'([^']+)'/g)].map(([, name]) => name)
  const isForBrowser = (file: string) =>
    /^app\/(?:(?:ui|client|islands|theme|messages)\/|routes\/.*\.tsx$|root\.tsx|entry\.client)/.test(
      file,
    ) || isBrowserSafe(file)
  const loaded = imports.filter(
    (one) => !one.isType && resolved(one) === undefined && isForBrowser(one.file),
  )
  // React Router names React and itself; the build takes zod out of routes with their actions.
  const isElsewhere = /^(?:react|react-dom|react-router)(?:\/|$)|^zod$|^node:|\.css$/
  const libraries = loaded.map(({ target }) => target).filter((name) => !isElsewhere.test(name))
  expect([...new Set(libraries)].sort()).toEqual(prepared)
})

test('only config.ts reads the environment and only the database opens transactions', () => {
  const reading = files.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    return /process\.env\b/.test(source) && file !== 'server/config.ts'
  })
  expect(reading).toEqual([])
  const opening = files.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    return /\.transaction\(\)\s*\.execute/.test(source) && !OPENERS.has(file)
  })
  expect(opening).toEqual([])
})

/** Files and folders below `server/words` that contain Spanish. */
const SPANISH_BELOW_WORDS = [
  // What every office starts with, and changes.
  'server/domain/obligations/default-obligations.ts',
  // Papers for people: the evidence package and the sheets.
  'server/domain/verification/evidence-package/',
  'server/domain/documents/instrument.ts',
  'server/domain/signing/character-text.ts',
  'server/domain/signing/demo-notice.ts',
  'server/domain/signing/evidence-sheet.ts',
  'server/domain/signing/flowing-text.ts',
  'server/domain/signing/plan-signature.ts',
  'server/domain/signing/report-paper.ts',
  'server/domain/signing/signature-appearance.ts',
  'server/domain/signing/signature-sheet.ts',
  'server/domain/signing/table-paper.ts',
  // Declared by a person: its bytes are signed.
  'server/domain/efirma/rejection-statement.ts',
  // A legal text, identified by its SHA-256.
  'server/domain/identity/privacy-notice.ts',
  // The acts that every office starts with.
  'server/domain/signing/act/default-acts.ts',
  // The lists of things to check that it suggests.
  'server/domain/signing/act/default-checklists.ts',
  // The series of numbers that every office starts with.
  'server/domain/documents/numbers/default-series.ts',
  // Proper names: places, time zones, authorities, makers, characters.
  'server/domain/time.ts',
  'server/domain/identity/authenticator-models.ts',
  'server/domain/identity/entity-vocabulary.ts',
  'server/domain/identity/mexican-places.ts',
  'server/domain/pdf/font-text.ts',
  'server/domain/timestamp/constancia-issuer.ts',
  'server/domain/trust/authorities-for-testing.ts',
  'server/domain/trust/known-authority.ts',
  'server/domain/trust/mexican-authorities.ts',
]

const COMMENT_OR_STRING =
  /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`/g
const SPANISH =
  /[áéíóúñ¿¡]|(?<!\p{L})(?:al|con|de|del|el|es|la|las|los|para|por|que|se|sin|su|un|una)(?!\p{L})/iu

/** Its strings of three words and more that look Spanish. */
function spanishIn(file: string): string[] {
  return [...readFileSync(path.join(ROOT, file), 'utf8').matchAll(COMMENT_OR_STRING)]
    .map(([token]) => token)
    .filter((token) => !token.startsWith('/'))
    .map((literal) =>
      literal
        .slice(1, -1)
        .replace(/\$\{[^}]*\}/g, 'x')
        .trim(),
    )
    .filter((text) => text.split(/\s+/).length >= 3 && SPANISH.test(text))
}

test('rooms below the words answer with codes, not with sentences', () => {
  const below = files.filter((file) => /^server\/(?:domain|db|ports|steps|features)\//.test(file))
  const spoken = below.filter((file) => spanishIn(file).length > 0)
  const isListed = (file: string) => SPANISH_BELOW_WORDS.some((place) => file.startsWith(place))
  expect(spoken.filter((file) => !isListed(file))).toEqual([])
  // A place that speaks no Spanish any more leaves the list.
  expect(
    SPANISH_BELOW_WORDS.filter((place) => !spoken.some((file) => file.startsWith(place))),
  ).toEqual([])
})

test('forms are read in one place', () => {
  const reading = files.filter((file) => {
    const source = readFileSync(path.join(ROOT, file), 'utf8')
    return file.startsWith('app/') && /\.formData\(\)|request\.(?:json|text)\(\)/.test(source)
  })
  expect(reading).toEqual([])
})

test('no test is skipped', () => {
  const tests = readdirSync(path.join(ROOT, 'tests'), { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:test|spec)\.ts$/.test(file))
    .map((file) => path.join('tests', file))
  expect(tests.length).toBeGreaterThan(0)
  const skipping = tests.filter((file) =>
    /\b(?:test|describe|it)\.(?:skip|skipIf|runIf|todo|only|fixme)\b/.test(
      readFileSync(path.join(ROOT, file), 'utf8'),
    ),
  )
  expect(skipping).toEqual([])
})

/**
 * Constants that are dear to make and are made when first needed, and memory that is lent out and holds nothing.
 * A WeakMap that is keyed by an argument lives as long as the argument and is no memory between calls.
 */
const MADE_ONCE = [
  // One Intl.DateTimeFormat a time zone: the eight of Mexico cost as much as the rest of a start.
  'server/domain/time.ts',
  // The same for the wall clock of a zone.
  'server/domain/day.ts',
  // The seal and the guilloche band of the sheets.
  'server/domain/signing/paper.ts',
  // One buffer for reading files in pieces.
  'server/domain/bytes.ts',
]

test('domain, steps and use cases keep no memory between calls', () => {
  const REMEMBERING = /^(?:export )?(?:let |const \w+ = new (?:Map|Set)(?:<.*>)?\(\)$)/m
  const remembering = files.filter(
    (file) =>
      /^server\/(?:domain|steps|features)\//.test(file) &&
      REMEMBERING.test(readFileSync(path.join(ROOT, file), 'utf8')),
  )
  expect(remembering.toSorted()).toEqual(MADE_ONCE.toSorted())
})
