import { RACES } from './identity.ts'
import { deviation, documented, elsewhere, type Requirement, tested } from './requirement.ts'

const INVENTORY = 'docs/crypto-inventory.md'
const SECURITY = 'docs/security.md'
const API = 'tests/e2e/pages/api.http.spec.ts'
const TLS = 'tests/e2e/pages/tls.http.spec.ts'
const VAULT = 'tests/integration/adapters/vault.test.ts'
const ROTATE = 'tests/integration/cli/rotate-keys.test.ts'
const CALLS_NOBODY = [
  'tests/security/sources.test.ts',
  'V1.3.6 the server calls nobody but authorities, whatever a visitor sends',
] as const
const NO_OUTSIDE =
  'The server calls nobody but authorities about certificates (V1.3.6); where they do not answer a verdict says so.'

/** V11: cryptography. */
export const CRYPTOGRAPHY: readonly Requirement[] = [
  documented('V11.1.1', 2, 'What becomes of keys is written down.', INVENTORY, '## Rotation'),
  documented(
    'V11.1.2',
    2,
    'Every key, algorithm and certificate stands in a list.',
    INVENTORY,
    '## Keys',
  ),
  documented(
    'V11.1.4',
    3,
    'What comes after today’s algorithms is written down.',
    INVENTORY,
    '## After quantum computers',
  ),
  elsewhere('V11.2.1', 2, 'Arithmetic is left to libraries that many use.', [
    'tests/architecture.test.ts',
    'the domain uses few packages',
  ]),
  elsewhere(
    'V11.2.2',
    2,
    'Keys can be replaced while people work.',
    [ROTATE, 'a new key seals everything; the old one goes when it is asked for, an hour later'],
    [
      'tests/integration/mfa/reseal-secrets.test.ts',
      'rotate-keys: may be interrupted and run again while users sign in',
    ],
  ),
  documented('V11.2.3', 2, 'Everything has 128 bits of security at least.', INVENTORY, '128 bits'),
  tested('V11.2.4', 3, 'What is secret is compared in constant time.'),
  tested('V11.2.5', 3, 'What does not open is refused, and told.'),
  elsewhere('V11.3.1', 1, 'No cipher leaves patterns.', [
    'tests/unit/domain/crypto/seal.test.ts',
    'is AES-256-GCM',
  ]),
  elsewhere('V11.3.2', 1, 'Ciphers are those of today.', [
    'tests/unit/domain/crypto/seal.test.ts',
    'is AES-256-GCM',
  ]),
  tested('V11.3.3', 2, 'What is sealed is bound to its row.'),
  elsewhere('V11.3.4', 3, 'No nonce comes twice.', [
    VAULT,
    'a hundred thousand seals have a hundred thousand nonces',
  ]),
  tested('V11.4.1', 1, 'Nothing of ours is hashed with MD5 or SHA-1.'),
  tested('V11.4.2', 2, 'Passwords are hashed slowly, at the cost of today.'),
  tested('V11.5.1', 2, 'Whatever opens something has 128 random bits.'),
  tested('V11.7.2', 3, 'Secrets lie nowhere in the clear.'),
]

/** V12 and V13: transport and configuration. */
export const CONFIGURATION: readonly Requirement[] = [
  elsewhere(
    'V12.1.1',
    1,
    'TLS 1.2 and 1.3 and nothing older, where we end it; else the proxy does.',
    [TLS, 'speaks TLS 1.2 and 1.3, and nothing older'],
  ),
  elsewhere(
    'V12.2.1',
    1,
    'Nothing is served in the clear.',
    [TLS, 'who comes past the proxy is sent to https, whatever they claim'],
    [TLS, 'what cannot be safe does not start, and says what to do'],
  ),
  documented('V13.1.1', 2, 'Whom we talk to is written down.', SECURITY, '## Outgoing connections'),
  documented(
    'V13.1.2',
    3,
    'How many connections there are, and what happens then, is written down.',
    SECURITY,
    '## Overload and timeouts',
  ),
  documented(
    'V13.1.3',
    3,
    'How long we wait for others is written down.',
    SECURITY,
    '## Overload and timeouts',
  ),
  elsewhere('V13.2.4', 2, 'Whom the server may call is a list.', CALLS_NOBODY),
  elsewhere('V13.2.5', 2, 'What the web server may load is a list.', CALLS_NOBODY),
  elsewhere(
    'V13.2.6',
    3,
    'What waits has an end.',
    [
      'tests/integration/adapters/passwords.test.ts',
      'too many at once are refused, the others are all answered',
    ],
    ['tests/integration/adapters/turns.test.ts', 'turns: refuse a patient task above the limit'],
  ),
  tested('V13.3.1', 2, 'No secret lies among the sources.'),
  elsewhere('V13.3.4', 3, 'Secrets are replaced.', [
    ROTATE,
    'a run that was broken off is finished before another key is made',
  ]),
  tested('V13.4.1', 1, 'Nothing of how it was made is served.'),
  tested('V13.4.2', 2, 'An error shows nothing of the inside.'),
  tested('V13.4.3', 2, 'No folder is listed.'),
  tested('V13.4.4', 2, 'TRACE is refused.'),
  tested('V13.4.5', 2, 'No measurements and no documentation are for everybody.'),
  tested('V13.4.6', 3, 'Nothing says which programs run, and of which version.'),
  tested('V13.4.7', 3, 'No files are served but those that the build made.'),
]

/** V14: data. */
export const DATA: readonly Requirement[] = [
  documented('V14.1.1', 2, 'Which data is how sensitive is written down.', SECURITY, '## Data'),
  documented('V14.1.2', 2, 'How each is protected is written down.', SECURITY, '## Data'),
  tested('V14.2.1', 1, 'No address has a secret in it.'),
  tested('V14.2.2', 2, 'No cache between us and a person keeps what is theirs.'),
  tested('V14.2.5', 3, 'An address that looks like a file is no page.'),
  tested('V14.2.6', 3, 'Calls tell no more than was asked.'),
  tested('V14.3.1', 1, 'Leaving takes everything out of the browser.'),
  tested('V14.3.2', 2, 'No page of a session is kept.'),
  tested('V14.3.3', 2, 'Browsers store nothing of a person.'),
]

/** V15: coding. */
export const CODING: readonly Requirement[] = [
  documented(
    'V15.1.1',
    1,
    'How soon holes are closed is written down.',
    SECURITY,
    '## Vulnerabilities',
  ),
  tested('V15.1.2', 2, 'The list of what it is made of can be made.'),
  documented(
    'V15.1.3',
    2,
    'What is expensive is written down.',
    SECURITY,
    '## Overload and timeouts',
  ),
  elsewhere('V15.2.2', 2, 'What is expensive leaves everybody else served.', [
    'tests/e2e/sign-in/many-sign-ins.http.spec.ts',
    'two hundred at once are answered or sent away, and everybody else is served meanwhile',
  ]),
  tested('V15.2.3', 2, 'Nothing that is for tests is in production.'),
  tested('V15.2.4', 3, 'Every package comes from one registry, with its hash.'),
  elsewhere(
    'V15.3.1',
    1,
    'Answers have the fields of their description and no others.',
    [API, 'every object of the description is closed, and every reference leads somewhere'],
    [API, 'the judge of answers refuses what is not described'],
  ),
  tested('V15.3.3', 2, 'A field that nobody asked for is refused.'),
  elsewhere('V15.3.4', 2, 'The address of a visitor is the one that the proxy saw.', [
    TLS,
    'the log has the address that the proxy saw, whatever the visitor wrote',
  ]),
  tested('V15.3.5', 2, 'A value of another type is refused.'),
  tested('V15.3.6', 2, 'No body reaches what all objects have in common.'),
  tested('V15.3.7', 2, 'A name that comes twice has one meaning, or none.'),
  elsewhere('V15.4.1', 3, 'What is done at once ends as if done in turn.', RACES.tabs, RACES.proof),
  elsewhere(
    'V15.4.2',
    3,
    'What was checked is still so when it is used.',
    [
      'tests/integration/users/people.test.ts',
      'two administrators who suspend each other: one stays active',
    ],
    ['tests/integration/auth/change-password.test.ts', 'by two tabs at once is done by one'],
  ),
  elsewhere('V15.4.3', 3, 'Locks are taken in one order.', [
    'tests/integration/db/database.test.ts',
    'two transactions that wait for each other are both done in the end',
  ]),
]

/** V16: log and errors. */
export const LOG: readonly Requirement[] = [
  documented('V16.1.1', 2, 'Which logs there are is written down.', SECURITY, '## Logs'),
  tested('V16.2.1', 2, 'Every event says who, what, when, from where, with which result.'),
  tested('V16.2.2', 2, 'Times are UTC.'),
  tested('V16.2.4', 2, 'Logs can be read by programs.'),
  tested('V16.2.5', 2, 'No log has a secret.'),
  tested('V16.3.1', 2, 'Everything that is done to come in is told, once.'),
  tested('V16.3.2', 2, 'Whatever is refused to a person is told.'),
  tested('V16.3.3', 2, 'Attempts to go around a control are told.'),
  elsewhere(
    'V16.3.4',
    2,
    'Failures of a control are told.',
    [
      'tests/unit/app/routes/api/answer-call.test.ts',
      'API: an unexpected error answers its request id alone and is logged',
    ],
    [
      'tests/integration/mfa/reseal-secrets.test.ts',
      'rotate-keys: an unreadable secret stays and its key is kept',
    ],
  ),
  tested('V16.4.1', 2, 'What a stranger sends is never a line of its own.'),
  tested('V16.4.2', 2, 'Nobody changes or takes away what the log tells.'),
  deviation(
    'V16.4.3',
    2,
    'The log is also kept elsewhere.',
    'The lines of the process go to standard error, which the operator hands on. Of the office’s own log each event is a leaf of a Merkle tree; signed checkpoints stand outside of the database, too, and are carried away by whoever reads the log; the operator copies their file to another machine.',
  ),
  tested('V16.5.1', 2, 'An error tells its number alone.'),
  deviation(
    'V16.5.2',
    2,
    'What is missing outside leaves the rest working.',
    `${NO_OUTSIDE} Lists of passwords lie in the installation; without the database nothing is answered.`,
  ),
  tested('V16.5.3', 2, 'What cannot be told in the log does not happen.'),
  tested('V16.5.4', 3, 'What nobody caught is a line in the log, then the end.'),
]
