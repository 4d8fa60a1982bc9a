/** A test of the project that proves a requirement: its file, and its title or how that begins. */
export type Proof = readonly [file: string, title: string]

/** What no source says: then the requirement cannot apply. */
export type Fact = Readonly<{
  absent: RegExp
  /** Folders and files. */
  below: readonly string[]
  /** Lines of code that would make it false. */
  broken: readonly string[]
}>

/** What runs in production: the development server is for the machine of a developer alone. */
export const PRODUCTION: readonly string[] = [
  ...['app', 'server/adapters', 'server/cli', 'server/db', 'server/demo', 'server/domain'],
  ...[
    'server/features',
    'server/jobs',
    'server/ports',
    'server/steps',
    'server/web',
    'server/metrics',
    'server/words',
  ],
  ...[
    'server/app.ts',
    'server/compose.ts',
    'server/config.ts',
    'server/environment.ts',
    'server/installation-identity.ts',
    'server/listen.ts',
    'server/main.ts',
  ],
  ...['server/system.ts', 'server/unusable-installation.ts', 'package.json'],
]

/**
 * A requirement of OWASP ASVS 5.0.0 in our own words, and how it is met. Level 2 holds everywhere, level 3
 * for authentication, sessions, cryptography and the log.
 */
export type Requirement = Readonly<
  { id: string; level: 1 | 2 | 3; what: string } & (
    | /** By a test in this folder whose title begins with the id, and by others. */ {
        how: 'tested'
        proofs: readonly Proof[]
      }
    | { how: 'elsewhere'; proofs: readonly Proof[] }
    | /** The page says so, in these words. */ { how: 'documented'; file: string; says: string }
    | { how: 'deviation'; reason: string }
    | { how: 'not-applicable'; reason: string; fact: Fact }
  )
>

type Level = Requirement['level']

export const tested = (
  id: string,
  level: Level,
  what: string,
  ...proofs: Proof[]
): Requirement => ({ ...{ id, level, what }, how: 'tested', proofs })

export const elsewhere = (
  id: string,
  level: Level,
  what: string,
  ...proofs: Proof[]
): Requirement => ({ ...{ id, level, what }, how: 'elsewhere', proofs })

export const documented = (
  id: string,
  level: Level,
  what: string,
  file: string,
  says: string,
): Requirement => ({ ...{ id, level, what }, how: 'documented', file, says })

export const deviation = (id: string, level: Level, what: string, reason: string): Requirement => ({
  ...{ id, level, what },
  how: 'deviation',
  reason,
})

export const notApplicable = (
  id: string,
  level: Level,
  what: string,
  reason: string,
  fact: Fact,
): Requirement => ({ ...{ id, level, what }, how: 'not-applicable', reason, fact })
