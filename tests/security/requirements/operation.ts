import { RACES } from './identity.ts'
import { deviation, documented, elsewhere, type Requirement, tested } from './requirement.ts'

const INVENTORY = 'docs/crypto-inventory.md'
const SECURITY = 'docs/security.md'
const API = 'tests/e2e/pages/api.http.spec.ts'
const TLS = 'tests/e2e/pages/tls.http.spec.ts'
const VAULT = 'tests/integration/adapters/vault.test.ts'
const ROTATE = 'tests/integration/cli/rotate-keys.test.ts'
const CREDENTIALS = 'tests/integration/auth/random-credentials.test.ts'
const CALLS_NOBODY = [
  'tests/security/sources.test.ts',
  'V1.3.6 outgoing calls: only to configured authorities, never to an address from a request',
] as const
const LOCKS = 'tests/integration/db/lock-order.test.ts'
const OUTAGES = 'tests/e2e/office/outages.http.spec.ts'

/** V11: cryptography. */
export const CRYPTOGRAPHY: readonly Requirement[] = [
  documented('V11.1.1', 2, 'Key management is documented.', INVENTORY, '## Rotation'),
  documented(
    'V11.1.2',
    2,
    'There is an inventory of keys, algorithms and certificates.',
    INVENTORY,
    '## Keys',
  ),
  documented(
    'V11.1.4',
    3,
    'The migration to post-quantum algorithms is documented.',
    INVENTORY,
    '## After quantum computers',
  ),
  elsewhere('V11.2.1', 2, 'Cryptographic primitives come from established libraries.', [
    'tests/architecture.test.ts',
    'the domain uses few packages',
  ]),
  elsewhere(
    'V11.2.2',
    2,
    'Keys can be rotated while the system runs.',
    [ROTATE, 'a new key seals everything; the old one goes when it is asked for, an hour later'],
    [
      'tests/integration/mfa/reseal-secrets.test.ts',
      'rotate-keys: may be interrupted and run again while users sign in',
    ],
  ),
  documented(
    'V11.2.3',
    2,
    'All primitives offer at least 128 bits of security.',
    INVENTORY,
    '128 bits',
  ),
  tested('V11.2.4', 3, 'Secrets are compared in constant time.'),
  tested('V11.2.5', 3, 'Decryption failures are refused and reported.'),
  elsewhere('V11.3.1', 1, 'Ciphers use authenticated modes.', [
    'tests/unit/domain/crypto/seal.test.ts',
    'is AES-256-GCM',
  ]),
  elsewhere('V11.3.2', 1, 'Only current ciphers are used.', [
    'tests/unit/domain/crypto/seal.test.ts',
    'is AES-256-GCM',
  ]),
  tested('V11.3.3', 2, 'Encrypted data is bound to its row.'),
  elsewhere('V11.3.4', 3, 'Nonces are never reused.', [
    VAULT,
    'a hundred thousand seals have a hundred thousand nonces',
  ]),
  tested('V11.4.1', 1, 'Our own data is never hashed with MD5 or SHA-1.'),
  tested('V11.4.2', 2, 'Passwords are hashed with a slow function and current parameters.'),
  elsewhere(
    'V11.5.1',
    2,
    'Credentials have at least 128 random bits.',
    [CREDENTIALS, 'session and refresh tokens: 1,000 are random and different, 256 bits'],
    [CREDENTIALS, 'tokens of pending sign-ins: 1,000 are random and different, 256 bits'],
    [CREDENTIALS, 'codes of activation links: 1,000 are random and different, 130 bits'],
    [
      CREDENTIALS,
      'codes of signing links, and tokens of their guests: 1,000 are random and different',
    ],
    [CREDENTIALS, 'access tokens of programs: 1,000 are random and different, 256 bits'],
  ),
  tested('V11.7.2', 3, 'Secrets are never stored in clear text.'),
]

/** V12 and V13: transport and configuration. */
export const CONFIGURATION: readonly Requirement[] = [
  elsewhere('V12.1.1', 1, 'Only TLS 1.2 and 1.3, where the server or its proxy ends TLS.', [
    TLS,
    'speaks TLS 1.2 and 1.3 only',
  ]),
  elsewhere(
    'V12.2.1',
    1,
    'Nothing is served without TLS.',
    [TLS, 'a request that bypasses the proxy is redirected to https, with any headers'],
    [TLS, 'insecure configuration: the server does not start and says what to change'],
  ),
  documented(
    'V13.1.1',
    2,
    'External services are documented.',
    SECURITY,
    '## Outgoing connections',
  ),
  documented(
    'V13.1.2',
    3,
    'Connection limits, and the behaviour at the limit, are documented.',
    SECURITY,
    '## Overload and timeouts',
  ),
  documented(
    'V13.1.3',
    3,
    'Timeouts of external calls are documented.',
    SECURITY,
    '## Overload and timeouts',
  ),
  elsewhere('V13.2.4', 2, 'Outgoing calls are limited to a list.', CALLS_NOBODY),
  elsewhere(
    'V13.2.5',
    2,
    'Resources that the web server may load are limited to a list.',
    CALLS_NOBODY,
  ),
  elsewhere(
    'V13.2.6',
    3,
    'Queues have a limit.',
    [
      'tests/integration/adapters/passwords.test.ts',
      'too many at once are refused, the others are all answered',
    ],
    ['tests/integration/adapters/queue.test.ts', 'queue: refuse a patient task above the limit'],
  ),
  tested('V13.3.1', 2, 'The sources contain no secret.'),
  elsewhere('V13.3.4', 3, 'Secrets are rotated.', [
    ROTATE,
    'a run that was broken off is finished before another key is made',
  ]),
  tested('V13.4.1', 1, 'Build files and version control are not served.'),
  tested('V13.4.2', 2, 'Error pages reveal no internals.'),
  tested('V13.4.3', 2, 'Directories are not listed.'),
  tested('V13.4.4', 2, 'TRACE is refused.'),
  tested('V13.4.5', 2, 'Metrics and documentation are not public.'),
  tested('V13.4.6', 3, 'Answers reveal no product or version.'),
  tested('V13.4.7', 3, 'Only files of the build are served.'),
]

/** V14: data. */
export const DATA: readonly Requirement[] = [
  documented('V14.1.1', 2, 'Data is classified by sensitivity.', SECURITY, '## Data'),
  documented('V14.1.2', 2, 'Protection for each class is documented.', SECURITY, '## Data'),
  tested('V14.2.1', 1, 'URLs contain no secret.'),
  tested('V14.2.2', 2, 'Shared caches store no personal data.'),
  tested('V14.2.5', 3, 'A page URL with a file extension is not found.'),
  tested('V14.2.6', 3, 'API answers contain no more than needed.'),
  tested('V14.3.1', 1, 'Sign-out clears the browser.'),
  tested('V14.3.2', 2, 'Pages of a session are not cached.'),
  tested('V14.3.3', 2, 'Browser storage holds no personal data.'),
]

/** V15: coding. */
export const CODING: readonly Requirement[] = [
  documented(
    'V15.1.1',
    1,
    'Deadlines for fixing vulnerabilities are documented.',
    SECURITY,
    '## Vulnerabilities',
  ),
  tested('V15.1.2', 2, 'A bill of materials can be generated.'),
  documented(
    'V15.1.3',
    2,
    'Expensive operations are documented.',
    SECURITY,
    '## Overload and timeouts',
  ),
  elsewhere(
    'V15.2.2',
    2,
    'Expensive operations do not block other users.',
    [
      'tests/e2e/sign-in/many-sign-ins.http.spec.ts',
      'two hundred concurrent sign-ins are answered or throttled while other pages stay fast',
    ],
    [
      'tests/e2e/load/strangers.http.spec.ts',
      '20 strangers who loop files of 7 MB: downloads and evidence packages of staff take less than 2 seconds',
    ],
    [
      'tests/e2e/load/evidence-packages.http.spec.ts',
      '30 evidence packages that one user asks for at once: a signature takes little longer, and all are served',
    ],
    [
      'tests/e2e/load/large-office.http.spec.ts',
      'large office: no page, call, export or job keeps the request thread for long',
    ],
  ),
  tested('V15.2.3', 2, 'Production contains no test code.'),
  tested('V15.2.4', 3, 'All packages come from one registry and have an integrity hash.'),
  elsewhere(
    'V15.3.1',
    1,
    'Answers contain only the documented fields.',
    [API, 'API description: all objects are closed and all references resolve'],
    [API, 'API description: the response check rejects undocumented answers'],
  ),
  tested(
    'V15.3.3',
    2,
    'Calls refuse unknown fields; forms refuse them or leave them out, and store none.',
  ),
  elsewhere('V15.3.4', 2, 'The client address is the one that the proxy saw.', [
    TLS,
    'the audit log records the address that the proxy saw and ignores forged headers',
  ]),
  tested('V15.3.5', 2, 'Fields of another type are refused.'),
  tested('V15.3.6', 2, 'Prototype pollution is impossible.'),
  tested('V15.3.7', 2, 'Repeated parameters are refused or ignored.'),
  elsewhere('V15.4.1', 3, 'Concurrent operations end as if run in turn.', RACES.tabs, RACES.proof),
  elsewhere(
    'V15.4.2',
    3,
    'Checks still hold when their result is used.',
    [
      'tests/integration/users/people.test.ts',
      'two administrators who suspend each other: one stays active',
    ],
    ['tests/integration/auth/change-password.test.ts', 'by two tabs at once is done by one'],
  ),
  elsewhere(
    'V15.4.3',
    3,
    'Deadlocks are resolved.',
    [
      'tests/integration/db/database.test.ts',
      'two transactions that wait for each other are both done in the end',
    ],
    [LOCKS, 'suspension and sign-in of one user at once'],
    [LOCKS, 'administrators who act on each other at once'],
    [LOCKS, 'a session that is opened twice at once'],
  ),
]

/** V16: log and errors. */
export const LOG: readonly Requirement[] = [
  documented('V16.1.1', 2, 'The logs are documented.', SECURITY, '## Logs'),
  tested('V16.2.1', 2, 'Audit events record actor, action, time, address and result.'),
  tested('V16.2.2', 2, 'Times are UTC.'),
  tested('V16.2.4', 2, 'Logs are machine-readable.'),
  tested('V16.2.5', 2, 'Logs contain no secret.'),
  tested('V16.3.1', 2, 'Authentication events are recorded once each.'),
  tested('V16.3.2', 2, 'Refused actions are recorded.'),
  tested('V16.3.3', 2, 'Bypass attempts are recorded.'),
  elsewhere(
    'V16.3.4',
    2,
    'Failures of security controls are recorded.',
    [
      'tests/unit/app/routes/api/answer-call.test.ts',
      'API: an unexpected error answers its request id alone and is logged',
    ],
    [
      'tests/integration/mfa/reseal-secrets.test.ts',
      'rotate-keys: an unreadable secret stays and its key is kept',
    ],
  ),
  tested('V16.4.1', 2, 'Input cannot inject log lines.'),
  tested(
    'V16.4.2',
    2,
    'The audit log cannot be changed or deleted from.',
    ['tests/integration/db/append-only.test.ts', 'changes no row of an append-only table'],
    [
      'tests/integration/audit/checkpoint-log.test.ts',
      'never shrink, never fork, and stand in both files',
    ],
  ),
  deviation(
    'V16.4.3',
    2,
    'The log is also kept on another system.',
    'The lines of the process go to standard error, which the operator hands on. Of the office’s own log each event is a leaf of a Merkle tree; signed checkpoints are also kept outside of the database, and each reader of the log keeps a copy; the operator copies their file to another machine.',
  ),
  tested('V16.5.1', 2, 'Error answers contain only the request id.'),
  elsewhere(
    'V16.5.2',
    2,
    'The system degrades gracefully if an external service fails.',
    [OUTAGES, 'timestamp authority fails in any way: the signature is kept and claims no time'],
    [OUTAGES, 'OCSP fails in any way: the signature is kept and claims no status'],
    [
      OUTAGES,
      'constancia provider fails in any way: the constancia is issued later and requested once',
    ],
  ),
  tested('V16.5.3', 2, 'An action whose audit event cannot be written is rolled back.'),
  tested('V16.5.4', 3, 'Uncaught errors are logged before the process ends.'),
]
