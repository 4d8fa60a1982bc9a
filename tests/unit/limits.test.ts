import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { BODY_LIMIT, FIELD_COUNT_LIMIT, FIELD_LIMIT, FIELD_NAME_LIMIT } from '#app/http/body.ts'
import { answerTo } from '#app/http/problems.ts'
import { MAX_FAULTS, MAX_NAME_LENGTH } from '#app/routes/api/validate.ts'
import { PAGES_OF_VIEW } from '#app/ui/reader/reader-view.ts'
import { PUBLIC_SHARE } from '#server/adapters/blobs/public-share.ts'
import { TIME_FOR_ONE_FILE } from '#server/adapters/limited-time.ts'
import {
  AT_ONCE,
  MOST_STRANGERS,
  MOST_WAITING,
  PAUSE_IN_CROWD,
} from '#server/adapters/passwords.ts'
import { MOST_CHARACTERS as MOST_LETTERS, MOST_LINES } from '#server/adapters/pdf-work/page-text.ts'
import { HEAP_LIMIT } from '#server/adapters/pdf-work/pdfium.ts'
import { TALLEST, WIDEST } from '#server/adapters/pdf-work/picture.ts'
import { MEMORY_OF_PROCESS, MEMORY_OF_TASK } from '#server/adapters/pdf-work/process-pool.ts'
import { TIME_FOR_PUBLIC_FILE } from '#server/adapters/public-work.ts'
import {
  WAITING_BYTES,
  WAITING_BYTES_IN_ALL,
  WAITING_EVENTS,
} from '#server/db/audit/event-queue.ts'
import { MOST_LISTED_SESSIONS } from '#server/db/sign-ins/sessions.ts'
import { ALERT_MAIL_PAUSE, REPEATING } from '#server/domain/alerts/alert.ts'
import { BODY_PACE } from '#server/domain/body-pace.ts'
import { MOST_CERTIFICATES as MOST_BUNDLED } from '#server/domain/cms/certificate-bundle.ts'
import { MOST_CERTIFICATES } from '#server/domain/cms/signed-data.ts'
import { ACCESS_TOKEN_DAYS, MOST_ACCESS_TOKENS } from '#server/domain/identity/access-token.ts'
import { ACTIVATION_LIFETIME } from '#server/domain/identity/activation.ts'
import { ACTIVATION_CODE_BYTES } from '#server/domain/identity/activation-code.ts'
import { IPV6_NETWORKS } from '#server/domain/identity/attempts/network.ts'
import {
  ACCOUNT_FROM_ANYWHERE,
  ACCOUNT_FROM_NETWORK,
  CALENDARS_FROM_NETWORK,
  CALLS_OF_TOKEN,
  CODES_FROM_ANYWHERE,
  KNOWN_DEVICE,
  LINKS_FROM_NETWORK,
  NETWORK,
  PROOFS_OF_SESSION,
  PUBLIC_PAGES_FROM_NETWORK,
  RATINGS_FROM_NETWORK,
  READS_OF_CALENDAR,
  REJECTION_CODES,
  REJECTION_MAILS,
  TEST_MAILS,
  TOKENS_FROM_NETWORK,
  VERIFICATIONS_FROM_NETWORK,
  WRONG_PINS_OF_TOKEN,
} from '#server/domain/identity/attempts/throttle.ts'
import {
  FIRSTS_A_MINUTE,
  NETWORKS_APART,
  VAIN_WINDOW,
} from '#server/domain/identity/attempts/vain-attempts.ts'
import { BACKUP_CODES, FEW_BACKUP_CODES } from '#server/domain/identity/backup-code.ts'
import { REMOVAL_LIFETIME } from '#server/domain/identity/factor-removal.ts'
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from '#server/domain/identity/password.ts'
import {
  LEAST_UNREPEATED,
  LEAST_WORTH,
  WORTH_OF_COMMON_WORD,
} from '#server/domain/identity/passwords/patterns.ts'
import { SIGN_IN_ATTEMPTS, SIGN_IN_LIFETIME } from '#server/domain/identity/pending-sign-in.ts'
import { ACCESS_LIFETIME, REFRESH_GRACE } from '#server/domain/identity/refresh.ts'
import { TOTP_SECRET_BYTES } from '#server/domain/identity/totp.ts'
import { MOST_USERS } from '#server/domain/identity/user.ts'
import { CHALLENGE_BYTES, CHALLENGE_LIFE } from '#server/domain/identity/webauthn-challenge.ts'
import { MOST_KEYS } from '#server/domain/identity/webauthn-credential.ts'
import { DISK_FLOORS, DISK_RESERVE, type DiskUse } from '#server/domain/installation/disk-floor.ts'
import { ATTACHMENT_LIMIT, MAIL_LIFETIME } from '#server/domain/mail/mail.ts'
import { MAIL_WAITS } from '#server/domain/mail/next-attempt.ts'
import { FRESH } from '#server/domain/policy/authorize.ts'
import { Problem } from '#server/domain/problem.ts'
import { PRESENCE_LIFE } from '#server/domain/signing/presence.ts'
import {
  REJECTION_CODE_BYTES,
  REJECTION_CODE_LIFETIME,
} from '#server/domain/signing/session/rejection-code.ts'
import { MOST_CHARACTERS } from '#server/domain/signing/session/requested-character.ts'
import { SIGNING_LINK_LIFETIME } from '#server/domain/signing/session/signing-link.ts'
import type { Duration } from '#server/domain/time.ts'
import {
  MOST_DSA_BITS,
  MOST_EXPONENT_BITS,
  MOST_RSA_BITS,
} from '#server/domain/trust/checkable-key.ts'
import { MOST_AUTHORITIES } from '#server/domain/trust/known-authority.ts'
import { MOST_CHECKS } from '#server/domain/trust/path.ts'
import { MOST_INQUIRIES } from '#server/domain/trust/revocation-inquiries.ts'
import {
  MOST_CHANGES,
  MOST_FIELDS,
  MOST_TIMESTAMPS,
  MOST_WARNINGS,
} from '#server/domain/verification/bounded-report.ts'
import { MAX_CHANGES } from '#server/domain/verification/changes/changes-after.ts'
import { MOST_CHECKS_OF_FILE } from '#server/domain/verification/circumstances.ts'
import { MOST_FAULTY, MOST_LISTED } from '#server/domain/verification/listed-signatures.ts'
import { MOST_BYTES } from '#server/domain/x509/certificate.ts'
import { PAGE_PICTURES } from '#server/features/documents/draw-page.ts'
import { MOST_PAGES } from '#server/features/documents/read-pages.ts'
import { MOST_AT_ONCE } from '#server/features/documents/upload-documents.ts'
import { MOST_EVENTS } from '#server/features/evidence/package-contents.ts'
import { MOST_FEED_ENTRIES } from '#server/features/obligations/read-feed.ts'
import { MOST_TURNS } from '#server/features/signatures/list-my-turns.ts'
import {
  MOST_IN_BATCH,
  MOST_STRETCHES,
  MOST_UNREAD,
} from '#server/features/signatures/read-batch.ts'
import { MOST_DOCUMENTS } from '#server/features/signing-sessions/session-data.ts'
import {
  UNFINISHED_OF_NETWORK,
  UNFINISHED_UPLOADS,
} from '#server/features/verification/admit-public-upload.ts'
import { UPLOADS_OF_USERS } from '#server/features/verification/lane-of.ts'
import { PICTURE_BYTES } from '#server/steps/documents/draw-cached.ts'
import { HEAVY_READS } from '#server/steps/documents/read-in-turn.ts'

const page = readFileSync('docs/limits.md', 'utf8')

/** The rest of the row that begins with `label`, as rendered. */
function rowOf(label: string): string {
  const row = page.split('\n').find((line) => line.startsWith(`| ${label} |`))
  if (!row) throw new Error(`docs/limits.md has no row "${label}"`)
  return row.slice(label.length + 4)
}

/** From so much on in this unit: a day is 24 hours. */
const UNITS = [
  ['day', 86_400_000, 2],
  ['hour', 3_600_000, 1],
  ['minute', 60_000, 1],
  ['second', 1_000, 1],
] as const

/** `15 minutes`, in the largest unit that gives a whole number. */
function spoken(time: Duration): string {
  const unit = UNITS.find(([, size, least]) => time >= size * least && time % size === 0)
  if (!unit) throw new Error(`${time} ms is no whole second`)
  const count = time / unit[1]
  return `${count} ${unit[0]}${count === 1 ? '' : 's'}`
}

const grouped = (count: number) => count.toLocaleString('en')

const within = ({ free, window }: { free: number; window: Duration }) =>
  `${free} in ${spoken(window)}`

test.each([
  ['shortest', `${SHORTEST_PASSWORD} characters`],
  ['longest', `${LONGEST_PASSWORD} characters`],
  ['patterns', `at least ${LEAST_WORTH} characters besides them, ${LEAST_UNREPEATED} besides`],
  ['patterns', `counts as ${WORTH_OF_COMMON_WORD}, so that three unrelated words`],
  [
    'waiting to be hashed',
    `${MOST_WAITING} of users and known devices, ${MOST_STRANGERS} of unknown`,
  ],
  ['waiting to be hashed', `unknown devices after ${spoken(PAUSE_IN_CROWD)}`],
  ['code', `${ACTIVATION_CODE_BYTES * 5} random bits, ${ACTIVATION_CODE_BYTES} characters`],
  ['lifetime', spoken(ACTIVATION_LIFETIME)],
  ['attempts', within(LINKS_FROM_NETWORK)],
  ['attempts on both kinds of links', within(LINKS_FROM_NETWORK)],
  ['code of a signing link', `${ACTIVATION_CODE_BYTES * 5} random bits`],
  ['lifetime of a signing link', spoken(SIGNING_LINK_LIFETIME)],
  ['code to reject', `${REJECTION_CODE_BYTES * 5} random bits, ${REJECTION_CODE_BYTES} characters`],
  ['lifetime of a code to reject', spoken(REJECTION_CODE_LIFETIME)],
  ['codes to reject, one link', within(REJECTION_CODES)],
  ['mails with a code to reject, one signer', within(REJECTION_MAILS)],
  ['test mails of an office', within(TEST_MAILS)],
  ['waits between attempts', MAIL_WAITS.map(spoken).join(', ')],
  ['kept for sending', spoken(MAIL_LIFETIME)],
  ['attachments', `${ATTACHMENT_LIMIT / 1_048_576} MB`],
  ['password, known device', within(KNOWN_DEVICE)],
  ['password, one account from one network, unknown device', `${ACCOUNT_FROM_NETWORK.free} |`],
  ['password, one account from everywhere, unknown devices', within(ACCOUNT_FROM_ANYWHERE)],
  ['password, one network, unknown devices', within(NETWORK)],
  ['second factor, one sign-in', `${SIGN_IN_ATTEMPTS} |`],
  ['second factor, known device', within(KNOWN_DEVICE)],
  ['second factor, one account from one network, unknown device', `${ACCOUNT_FROM_NETWORK.free} |`],
  ['second factor, one account from everywhere, unknown devices', within(CODES_FROM_ANYWHERE)],
  ['current password or factor within a session', within(PROOFS_OF_SESSION)],
  ['calls of a program with an access token', within(CALLS_OF_TOKEN)],
  ['invalid access tokens', within(TOKENS_FROM_NETWORK)],
  ["reads of a user's calendar", within(READS_OF_CALENDAR)],
  ['wrong addresses of calendars', within(CALENDARS_FROM_NETWORK)],
  ['address of a calendar', `one per user, ${MOST_FEED_ENTRIES} entries`],
  ['wrong PINs of a token on the server', within(WRONG_PINS_OF_TOKEN)],
  ['security keys of a user', `${MOST_KEYS} |`],
  ['sessions listed', `the newest ${MOST_LISTED_SESSIONS} of a user`],
  ['users of an office', `${MOST_USERS}, suspended ones included`],
  ['personal access token', `${Math.max(...ACCESS_TOKEN_DAYS)} days`],
  ['personal access token', `${MOST_ACCESS_TOKENS} per user at once`],
  ['password strength checks', within(RATINGS_FROM_NETWORK)],
  ['public verification, by code and by file', within(VERIFICATIONS_FROM_NETWORK)],
  ['pages of documents that the public may see', within(PUBLIC_PAGES_FROM_NETWORK)],
  ['pending sign-in', spoken(SIGN_IN_LIFETIME)],
  ['authenticator app', `${TOTP_SECRET_BYTES * 8} bits`],
  ['backup codes', `${BACKUP_CODES} of 12 characters`],
  ['backup codes', `at ${FEW_BACKUP_CODES} left`],
  ['security keys', `${CHALLENGE_BYTES} bytes, ${spoken(CHALLENGE_LIFE)}`],
  ['presence before signing', spoken(PRESENCE_LIFE)],
  ['removal of second factors', `expire after ${spoken(REMOVAL_LIFETIME)}`],
  ['access token', spoken(ACCESS_LIFETIME)],
  ['grace', spoken(REFRESH_GRACE)],
  ['confirmed identity', spoken(FRESH)],
  [
    'a form without files',
    `${BODY_LIMIT / 1024} KB, ${FIELD_COUNT_LIMIT} fields of ${FIELD_LIMIT / 1024} KB`,
  ],
  ['a form without files', `a name of ${FIELD_NAME_LIMIT} bytes`],
  ['documents chosen for a session', `${MOST_DOCUMENTS}, beside the ${FIELD_COUNT_LIMIT} fields`],
  ['characters of one signer', `${MOST_CHARACTERS}, of 80 letters`],
  ['errors reported for a call', `${MAX_FAULTS}, with ${MAX_NAME_LENGTH} letters`],
  ['RSA key', `up to ${MOST_RSA_BITS} bits, exponent up to ${MOST_EXPONENT_BITS} bits`],
  ['DSA key', `up to ${MOST_DSA_BITS} bits`],
  ['signatures checked for one path', `${MOST_CHECKS} |`],
  ['signatures checked for the paths of a file', `${MOST_CHECKS_OF_FILE} |`],
  ['certificates of one signature', `${MOST_CERTIFICATES}, each once`],
  ['a certificate', `${MOST_BYTES / 1024} KB`],
  [
    'authorities that an installation knows',
    `${MOST_AUTHORITIES} | a bundle is read up to ${MOST_BUNDLED}`,
  ],
  ['questions to authorities about one file', `${MOST_INQUIRIES} |`],
  ['all tasks on one file together', `${spoken(TIME_FOR_ONE_FILE)}, and 1 second for each 10 MB`],
  ['signatures that a report lists', `${MOST_LISTED}, up to ${MOST_FAULTY} that did not pass`],
  ['changes listed for a signature', `${MAX_CHANGES}, `],
  ['changes that a report lists', `${MOST_CHANGES} over all`],
  [
    'names of locked fields, timestamps and remarks of a signature',
    `${MOST_FIELDS}, ${MOST_TIMESTAMPS} and ${MOST_WARNINGS};`,
  ],
  [
    'views that wait to be logged',
    `${WAITING_EVENTS} events or ${WAITING_BYTES / 1_048_576} MB of an office, ${WAITING_BYTES_IN_ALL / 1_048_576} MB of all`,
  ],
  ['events in an evidence package', `the last ${MOST_EVENTS} about`],
  ['documents of one form', `${MOST_AT_ONCE}, `],
  ['a picture of a page', `${WIDEST} pixels wide, ${TALLEST} high`],
  ['a picture of a page', `more than ${HEAP_LIMIT / 1_048_576} MB to be drawn`],
  ['pictures and texts kept in memory', `${PICTURE_BYTES / 1_048_576} MB of pictures`],
  ['pages of a view', `${PAGES_OF_VIEW}, and`],
  ['pages of a view', `${MOST_PAGES} pages of text`],
  [
    'evidence packages, evidence sheets and verdicts of one user',
    `${HEAVY_READS.ofOneOwner} made or waiting`,
  ],
  ['files of one user being verified', `${UPLOADS_OF_USERS.ofOneOwner} verified or waiting`],
  ['pages of one user being drawn', `${PAGE_PICTURES.ofOneOwner} waiting`],
  [
    'text of a page beside its picture',
    `${grouped(MOST_LETTERS)} characters in ${grouped(MOST_LINES)} lines`,
  ],
  [
    "documents that wait for a user's signature",
    `${MOST_TURNS} are counted, and ${MOST_IN_BATCH} are`,
  ],
  [
    'documents of a batch to be read before they are signed',
    `${MOST_UNREAD} are listed; ${MOST_STRETCHES} stretches of ${MOST_IN_BATCH} turns`,
  ],
])('docs/limits.md: %s is %s', (label, value) => {
  expect(rowOf(label)).toContain(value)
})

test('docs/limits.md: the networks of IPv6 and how many attempts they may make', () => {
  const text = page.replaceAll('\n', ' ')
  expect(IPV6_NETWORKS.map(({ bits, factor }) => [bits, factor])).toEqual([
    [64, 1],
    [56, 2],
    [48, 4],
  ])
  expect(text).toContain('the first 64 bits of an IPv6 address')
  expect(text).toContain('by their first 56 bits, with 2 times')
  expect(text).toContain('by their first 48 bits, with 4 times')
})

test('docs/limits.md: events about failed sign-ins', () => {
  const text = page.replaceAll('\n', ' ')
  expect(spoken(VAIN_WINDOW)).toBe('1 minute')
  expect(text).toContain('of the same account and network are one event a minute')
  expect(text).toContain(`At most ${FIRSTS_A_MINUTE} first failures of a kind`)
  expect(text).toContain(`more than ${NETWORKS_APART} networks of a user`)
})

test('docs/limits.md: repeating alerts and the pause between their mails', () => {
  expect([...REPEATING]).toEqual(['new-device', 'repeated-failures', 'second-factor-failures'])
  expect(spoken(ALERT_MAIL_PAUSE)).toBe('1 hour')
  expect(page.replaceAll('\n', ' ')).toContain(
    'one alert a day, which counts them, and one mail an hour',
  )
})

test('password hashing leaves one processor and one thread of the pool free', () => {
  expect(AT_ONCE).toBeGreaterThanOrEqual(1)
  expect(AT_ONCE).toBeLessThanOrEqual(3)
  expect(ACCOUNT_FROM_NETWORK.delay).toEqual({ first: 30_000, longest: 900_000 })
})

test('too many documents in a form: the message states the limit', () => {
  const { sentence } = answerTo(new Problem('too-many-files', 'one more'))
  expect(sentence).toContain(`hasta ${MOST_AT_ONCE} archivos`)
})

test.each<[string, DiskUse]>([
  ['files of strangers', 'verification'],
  ['uploads', 'upload'],
  ['signatures', 'signature'],
])('floor of free space: %s', (label, use) => {
  const { percent, most } = DISK_FLOORS[use]
  expect(rowOf(label)).toMatch(`${percent} % or ${most / 1024 ** 2} MB free`)
})

test('reserve of the disk', () => {
  expect(rowOf('sign-in and reading')).toContain(`reserve of ${DISK_RESERVE / 1024 ** 2} MB`)
})

test('files of strangers', () => {
  const { places } = UNFINISHED_UPLOADS
  expect(rowOf('unfinished uploads of strangers')).toMatch(new RegExp(`^ ${places} \\|`))
  expect(rowOf('unfinished uploads from a network')).toMatch(
    new RegExp(`^ ${UNFINISHED_OF_NETWORK} \\|`),
  )
  expect(rowOf('files of strangers on the disk')).toMatch(`${PUBLIC_SHARE / 1024 ** 2} MB together`)
  expect(rowOf('all tasks on a file of a stranger')).toMatch(
    `${TIME_FOR_PUBLIC_FILE / 1000} seconds | ${TIME_FOR_ONE_FILE / 1000} for a file of the office`,
  )
  const process = `${MEMORY_OF_TASK} MB for the script of a task, ${MEMORY_OF_PROCESS} MB in all`
  expect(rowOf('a process for strangers')).toContain(process)
  const { idle, slowest } = BODY_PACE
  expect(rowOf('a body that stalls')).toContain(
    `${idle / 1000} seconds without a byte, or less than ${slowest / 1024} KB a second`,
  )
})
