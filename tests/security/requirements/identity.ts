import {
  deviation,
  documented,
  elsewhere,
  notApplicable,
  PRODUCTION,
  type Requirement,
  tested,
} from './requirement.ts'

const SIGN_IN = 'tests/integration/auth/sign-in.test.ts'
const ACTIVATION = 'tests/integration/auth/activation.test.ts'
const SECOND_FACTOR = 'tests/integration/mfa/verify-second-factor.test.ts'
const REFRESH = 'tests/integration/auth/refresh-session.test.ts'
const SESSIONS = 'tests/integration/auth/sessions.test.ts'
const REMOVAL = 'tests/integration/users/factor-removal.test.ts'
const ASSERT_KEY = 'tests/integration/mfa/assert-key.test.ts'
const EVERY_ROLE = ['tests/security/matrix/matrix.http.spec.ts', 'role matrix'] as const
const OPAQUE = [
  'Tokens are random and mean nothing by themselves; what they open stands in the database.',
  {
    absent: /jwt|jsonwebtoken|["']jose["']|paseto|\bHS256\b/i,
    below: PRODUCTION,
    broken: [
      "import { SignJWT } from 'jose'",
      '"jsonwebtoken": "9.0.2",',
      'const { payload } = await jwtVerify(token, key)',
      "const header = { alg: 'HS256' }",
      "import { V4 } from 'paseto'",
    ],
  },
] as const

/** V6: authentication. */
export const AUTHENTICATION: readonly Requirement[] = [
  documented(
    'V6.1.1',
    1,
    'Throttling of guesses, without lock-out by an attacker, is documented.',
    'docs/limits.md',
    '**Malicious lock-out.**',
  ),
  documented(
    'V6.1.2',
    2,
    'The context words that passwords must not contain are documented.',
    'docs/limits.md',
    'context words',
  ),
  tested('V6.1.3', 2, 'All sign-in paths require the same factors.'),
  tested('V6.2.1', 1, 'Passwords have at least 15 characters.'),
  tested('V6.2.2', 1, 'Users can change their password.'),
  tested('V6.2.3', 1, 'A password change requires the current password.'),
  tested('V6.2.4', 1, 'Common passwords are refused, also repeated or with a run of keys.'),
  tested(
    'V6.2.5',
    1,
    'Passwords may contain any characters, and need none of any kind; patterns are refused (V6.2.4).',
  ),
  tested('V6.2.6', 1, 'Password fields are masked.'),
  tested('V6.2.7', 1, 'Password fields allow pasting and password managers.'),
  tested('V6.2.8', 1, 'Passwords are compared in full, exactly as typed.'),
  tested('V6.2.9', 2, 'Passwords of 128 characters are accepted.'),
  documented('V6.2.10', 2, 'Passwords do not expire by age.', 'docs/limits.md', 'never by age'),
  tested('V6.2.11', 2, 'Passwords made of context words are refused.'),
  tested('V6.2.12', 2, 'Breached passwords are refused, by an offline list.'),
  elsewhere(
    'V6.3.1',
    1,
    'Guessing is throttled without locking out the owner.',
    [SIGN_IN, 'is refused even with the right password, told once in the log and to the person'],
    [SIGN_IN, 'from many networks does not lock out a known device'],
    [
      'tests/e2e/sign-in/guessing.http.spec.ts',
      'known device: signs in within 3 seconds while 100 threads guess from changing networks',
    ],
    [
      'tests/integration/auth/networks.test.ts',
      'the /56 networks of a /48: passwords for many accounts',
    ],
    [SECOND_FACTOR, 'from everywhere no more than twenty an hour'],
    [
      'tests/integration/auth/vain-attempts.test.ts',
      'an attack of an hour is one event a minute for the account that it locks',
    ],
  ),
  tested('V6.3.2', 1, 'There are no default accounts.'),
  elsewhere(
    'V6.3.3',
    2,
    'Multi-factor authentication is required.',
    [SIGN_IN, 'after the grace of the office says that a second factor comes first'],
    [
      'tests/integration/mfa/totp-setup.test.ts',
      'second factor: the last one stays if the office requires one',
    ],
  ),
  elsewhere(
    'V6.3.4',
    2,
    'No sign-in path is weaker than another.',
    [ACTIVATION, 'keeps the second factor: it opens no session by itself'],
    [
      'tests/integration/mfa/step-up.test.ts',
      'the password is not enough for a user with a second factor',
    ],
  ),
  elsewhere(
    'V6.3.5',
    3,
    'Users are notified of suspicious sign-ins.',
    [REFRESH, 'a browser that was never used before is told; the first one of all is not'],
    [SIGN_IN, 'is refused even with the right password, told once in the log and to the person'],
    [SECOND_FACTOR, 'after five wrong ones the sign-in is gone, for the right one, too'],
  ),
  elsewhere('V6.3.6', 3, 'Email is not an authentication factor.', [
    ACTIVATION,
    'keeps the second factor: it opens no session by itself',
  ]),
  elsewhere(
    'V6.3.7',
    3,
    'Users are notified when their authentication details change.',
    [
      'tests/integration/auth/change-password.test.ts',
      'ends everything that the old one opened, and gives new tokens',
    ],
    [ACTIVATION, 'ends every session, and warns the person'],
    [
      'tests/integration/users/people.test.ts',
      'data and roles are changed, at once, and the person hears of it',
    ],
  ),
  elsewhere(
    'V6.3.8',
    3,
    'Answers and timing do not reveal which accounts exist.',
    [
      'tests/integration/auth/sign-in-time.test.ts',
      'does not reveal whether an account exists, is invited or is suspended',
    ],
    [SIGN_IN, 'of an unknown address is refused in the same way'],
  ),
  elsewhere(
    'V6.4.1',
    1,
    'Initial activation links are random, expire and are not passwords.',
    [ACTIVATION, 'opens once, and for a day'],
    [
      'tests/unit/domain/identity/activation-code.test.ts',
      'ten thousand codes: none twice, every character as often as the others',
    ],
  ),
  tested('V6.4.2', 1, 'There are no hints and no secret questions.'),
  elsewhere('V6.4.3', 2, 'A password reset does not bypass the second factor.', [
    ACTIVATION,
    'keeps the second factor: it opens no session by itself',
  ]),
  elsewhere(
    'V6.4.4',
    2,
    'A lost factor is replaced after identity proofing at enrolment level.',
    [REMOVAL, 'factor removal: approved neither by its requester nor by the user concerned'],
    [REMOVAL, 'factor removal: without a second administrator the recorded reason is enough'],
  ),
  elsewhere('V6.4.5', 3, 'Users are reminded before their backup codes run out.', [
    SECOND_FACTOR,
    'a backup code opens one, and few that are left are told',
  ]),
  tested('V6.4.6', 3, 'Administrators cannot choose or learn a password.'),
  tested('V6.5.1', 2, 'One-time codes are accepted once.'),
  elsewhere('V6.5.2', 2, 'Backup codes are stored as salted hashes.', [
    'tests/integration/mfa/totp-setup.test.ts',
    'replace those of before, and no code is in the database',
  ]),
  elsewhere('V6.5.3', 2, 'Codes come from a cryptographically secure generator.', [
    'tests/unit/domain/identity/backup-code.test.ts',
    'ten thousand codes are different, and use each character as often',
  ]),
  elsewhere('V6.5.4', 2, 'Codes have at least 20 random bits.', [
    'tests/unit/domain/identity/backup-code.test.ts',
    'twelve characters in three groups, none of them ambiguous',
  ]),
  elsewhere(
    'V6.5.5',
    2,
    'Codes expire with their time step, plus a few seconds.',
    [SECOND_FACTOR, 'an old code is told from a wrong one, with the time; a future one is not'],
    ['tests/unit/domain/identity/totp.test.ts', 'a code counts once, and none before it any more'],
  ),
  tested('V6.5.6', 3, 'A factor can be revoked.'),
  notApplicable(
    'V6.5.7',
    3,
    'Biometrics are only a secondary factor.',
    'What a key asks of its owner stays in the key.',
    {
      absent: /biometr|fingerprint-?(?:reader|scanner)|getUserMedia|face-?(?:api|detect)/i,
      below: PRODUCTION,
      broken: [
        'type BiometricTemplate = Uint8Array',
        'const stream = await navigator.mediaDevices.getUserMedia({ video: true })',
        "import * as faceapi from 'face-api.js'",
        "import { open } from 'fingerprint-reader'",
      ],
    },
  ),
  tested('V6.5.8', 3, 'TOTP uses the clock of the server.'),
  elsewhere('V6.6.2', 2, 'A challenge is bound to the request that asked for it.', [
    'tests/integration/mfa/come-in-with-key.test.ts',
    'the challenge of one sign-in is none for another',
  ]),
  elsewhere(
    'V6.6.3',
    2,
    'Guessing codes ends the sign-in.',
    [SECOND_FACTOR, 'after five wrong ones the sign-in is gone, for the right one, too'],
    [SECOND_FACTOR, 'guesses at once are all counted: twenty in one sign-in are five'],
  ),
  tested('V6.7.1', 3, 'Attestation roots are protected.'),
  elsewhere(
    'V6.7.2',
    3,
    'Challenges are random and accepted once.',
    [ASSERT_KEY, 'a challenge serves its own session, once, for five minutes'],
    [ASSERT_KEY, 'challenge: one of 20 simultaneous answers is accepted'],
  ),
]

/** V7: sessions. */
export const SESSION: readonly Requirement[] = [
  documented(
    'V7.1.1',
    2,
    'Session lifetimes are documented.',
    'docs/limits.md',
    'idle | 30 minutes',
  ),
  documented(
    'V7.1.2',
    2,
    'The number of concurrent sessions is documented.',
    'docs/security.md',
    'as many sessions',
  ),
  tested('V7.2.1', 1, 'The server verifies every token.'),
  tested('V7.2.2', 1, 'Every session has its own tokens.'),
  tested('V7.2.3', 1, 'Tokens are 256 random bits.'),
  tested('V7.2.4', 1, 'Tokens are renewed after every authentication.'),
  tested('V7.3.1', 2, 'Sessions end after an idle time.'),
  tested('V7.3.2', 2, 'Sessions end at an absolute limit.'),
  tested('V7.4.1', 1, 'Sign-out ends the session on the server.'),
  tested('V7.4.2', 1, 'Suspending a user ends all their sessions.'),
  tested('V7.4.3', 2, 'A password change ends all other sessions.'),
  tested('V7.4.4', 2, 'Every page of a session offers sign-out.'),
  tested('V7.4.5', 2, 'Administrators can end one session or all sessions of a user.'),
  tested('V7.5.1', 2, 'Account changes require re-authentication.'),
  tested('V7.5.2', 2, 'Users can list and end their sessions.'),
  elsewhere('V7.5.3', 3, 'Sensitive transactions require another factor.', [
    'tests/integration/features/presence/presence-at-signing.test.ts',
    'presence: required to prepare, and its method is in the event',
  ]),
  tested('V7.6.2', 2, "Sessions start only on a user's action."),
]

/** V8: authorization. */
export const AUTHORIZATION: readonly Requirement[] = [
  elsewhere('V8.1.1', 1, 'Authorization rules are one table.', [
    'tests/unit/domain/policy/authorize.test.ts',
    'the whole table',
  ]),
  documented(
    'V8.1.2',
    2,
    'Field-level access is documented.',
    'docs/security.md',
    '## Who sees which fields',
  ),
  deviation(
    'V8.1.4',
    3,
    'Contextual attributes of authorization are documented.',
    'They do not (V8.2.4).',
  ),
  tested('V8.2.1', 1, 'Role checks hold on every path.', EVERY_ROLE),
  tested('V8.2.2', 1, 'Data of another office is answered like unknown data.', EVERY_ROLE),
  tested('V8.2.3', 2, 'Users can write only the fields that they are allowed to.'),
  deviation(
    'V8.2.4',
    3,
    'Unusual context requires more proof.',
    'Offices work from changing addresses. A browser that was never used raises an alert (V6.3.5), and what is sensitive wants a fresh proof everywhere (V7.5.1).',
  ),
  tested('V8.3.1', 1, 'The server enforces authorization.', EVERY_ROLE),
  tested('V8.3.2', 3, 'Changes of rights take effect at once.'),
  tested('V8.4.1', 2, 'Offices are isolated from each other.'),
  deviation(
    'V8.4.2',
    3,
    'Administration has several layers of security.',
    'It wants the role, a second factor and a proof of the last ten minutes; networks are for the proxy of the office.',
  ),
]

/** V9: self-contained tokens. */
export const TOKENS: readonly Requirement[] = [
  tested('V9.1.1', 1, 'Self-contained tokens are not accepted.'),
  notApplicable('V9.1.2', 1, 'Token algorithms are on an allow list.', ...OPAQUE),
  notApplicable('V9.1.3', 1, 'Token keys come from a trusted source.', ...OPAQUE),
  tested('V9.2.1', 1, 'Expired tokens are refused.'),
  tested('V9.2.2', 2, 'One kind of token is not accepted as another.'),
  notApplicable('V9.2.3', 2, 'Tokens name their audience.', ...OPAQUE),
]

export const RACES = {
  duty: [SESSIONS, 'a duty is seen with the next request'],
  proof: [REFRESH, 'a proof and twenty exchanges at once leave one session that lives'],
  tabs: [REFRESH, 'refresh: two tabs with lost answers stay signed in over twenty exchanges'],
} as const
