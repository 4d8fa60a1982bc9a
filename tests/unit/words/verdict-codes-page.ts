import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { ChangeCodes } from '#server/domain/verification/codes/change-codes.ts'
import type { NoParameters } from '#server/domain/verification/codes/coded-fact.ts'
import type { ConstanciaCodes } from '#server/domain/verification/codes/constancia-codes.ts'
import type { HeadlineCodes } from '#server/domain/verification/codes/headline-codes.ts'
import type { WarningCodes } from '#server/domain/verification/codes/warning.ts'
import { CERTIFICATES } from '#server/words/verification/certificates.ts'
import { CHANGES } from '#server/words/verification/changes.ts'
import { CONSTANCIAS } from '#server/words/verification/constancias.ts'
import { FILES } from '#server/words/verification/files.ts'
import { HEADLINES } from '#server/words/verification/headlines.ts'
import { SIGNATURES } from '#server/words/verification/signatures.ts'
import { TIMESTAMPS } from '#server/words/verification/timestamps.ts'

type AnyCodes = ChangeCodes & WarningCodes & HeadlineCodes & ConstanciaCodes

/** One value for each parameter: a new parameter needs one before the page is complete. */
type ParameterOf<Codes> = {
  [Code in keyof Codes]: Codes[Code] extends NoParameters ? keyof Codes[Code] : never
}[keyof Codes]

const EXAMPLES: Record<ParameterOf<AnyCodes>, string | number | boolean> = {
  authority: 'AC Intermedia',
  byte: 18_204,
  bytes: 183_722,
  claimedTime: '2026-11-20T15:05:00Z',
  count: 30,
  doubt: 'stale',
  field: 'Precio',
  format: 'adbe.pkcs7.md5',
  key: 'Title',
  kind: 'constancia',
  listed: 200,
  notAfter: '2028-01-01T18:00:00Z',
  notBefore: '2024-01-01T18:00:00Z',
  object: 17,
  page: 2,
  policy: '1.2.3.4.1',
  provenTime: '2026-11-20T15:06:00Z',
  reason: 'superseded',
  revokedAt: '2026-11-22T18:00:00Z',
  signingTime: '2026-11-19T15:05:00Z',
  total: 20_000,
  value: '120,000',
  visible: true,
}

type Sentences = Readonly<Record<string, (parameters: never) => string>>

/** Each list: where it stands in a report, its sentences, and the file that states its codes. */
export const LISTS: readonly { title: string; sentences: Sentences; source: string }[] = [
  { title: 'The verdict about a file', sentences: HEADLINES, source: 'headline-codes.ts' },
  { title: 'Changes after a signature', sentences: CHANGES, source: 'change-codes.ts' },
  { title: 'Warnings about a file', sentences: FILES, source: 'file-codes.ts' },
  { title: 'Warnings about a signature', sentences: SIGNATURES, source: 'signature-codes.ts' },
  {
    title: 'Warnings about a certificate',
    sentences: CERTIFICATES,
    source: 'certificate-codes.ts',
  },
  { title: 'Reasons of a timestamp', sentences: TIMESTAMPS, source: 'timestamp-codes.ts' },
  {
    title: 'The verdict about a constancia',
    sentences: CONSTANCIAS,
    source: 'constancia-codes.ts',
  },
]

type Row = { code: string; meaning: string; parameters: string[]; sentence: string }

/** The rows of a list: codes, meanings and parameters from its type, the sentence from the words. */
export function rowsOf({ sentences, source }: (typeof LISTS)[number]): Row[] {
  const text = readFileSync(
    path.join(import.meta.dirname, '../../../server/domain/verification/codes', source),
    'utf8',
  )
  const aliases = new Map(
    [...text.matchAll(/^type (\w+) = (\{.*\})$/gm)].map(([, name, body]) => [name!, body!]),
  )
  return [...text.matchAll(/^ {2}\/\*\* (.*) \*\/\n {2}'?([a-z0-9-]+)'?: (.*)$/gm)].map(
    ([, meaning, code, type]) => {
      const whole = type!.replace(/\w+/g, (word) => aliases.get(word) ?? word)
      const parameters = [...whole.matchAll(/(\w+): /g)].map(([, name]) => name!)
      return { code: code!, meaning: meaning!, parameters, sentence: said(sentences, code!) }
    },
  )
}

function said(sentences: Sentences, code: string): string {
  const sentence = sentences[code]
  if (!sentence) throw new Error(`${code} has no sentence`)
  return sentence(EXAMPLES as never)
}

const HEAD = `# Codes of a verdict

Every warning, change, reason and verdict of a report is a code of these lists with parameters; \`sentence\` says it to people. Programs compare codes,
never sentences. The order of a list carries no meaning. Times are RFC 3339 in UTC; \`page\` counts from 1 and is null for what belongs to no page.
The lists stand in \`server/domain/verification/codes\`, the sentences in \`server/words/verification\`. This page is generated from both:
\`npx vitest run --project unit tests/unit/words/verdict-codes.test.ts -u\` writes it anew.
`

/** The page docs/verdict-codes.md. */
export const verdictCodesPage = (): string => [HEAD, ...LISTS.map(section)].join('\n')

const section = (list: (typeof LISTS)[number]) =>
  [
    `## ${list.title}`,
    '',
    '| code | parameters | meaning | sentence, with examples |',
    '|---|---|---|---|',
    ...rowsOf(list).map(
      ({ code, parameters, meaning, sentence }) =>
        `| \`${code}\` | ${parameters.map((name) => `\`${name}\``).join(', ')} | ${meaning} | ${sentence} |`,
    ),
    '',
  ].join('\n')
