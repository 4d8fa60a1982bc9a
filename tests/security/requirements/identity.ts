import {
  deviation,
  documented,
  elsewhere,
  notApplicable,
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
const OPAQUE =
  'Tokens are random and mean nothing by themselves; what they open stands in the database.'

/** V6: authentication. */
export const AUTHENTICATION: readonly Requirement[] = [
  documented(
    'V6.1.1',
    1,
    'How guessing is slowed, and why nobody is locked out by a stranger, is written down.',
    'docs/limits.md',
    '**Malicious lock-out.**',
  ),
  documented(
    'V6.1.2',
    2,
    'The words that make no password are written down.',
    'docs/limits.md',
    'context words',
  ),
  tested('V6.1.3', 2, 'Every way in asks for the same.'),
  tested('V6.2.1', 1, 'Fifteen characters at least.'),
  tested('V6.2.2', 1, 'Everybody can change their password.'),
  tested('V6.2.3', 1, 'Whoever changes it knows the current one.'),
  tested('V6.2.4', 1, 'What everybody takes is refused.'),
  tested('V6.2.5', 1, 'Any letters will do.'),
  tested('V6.2.6', 1, 'It is typed unseen.'),
  tested('V6.2.7', 1, 'Pasting and managers of passwords are welcome.'),
  tested('V6.2.8', 1, 'It counts to its last character, as it was typed.'),
  tested('V6.2.9', 2, '128 characters are taken.'),
  documented('V6.2.10', 2, 'It is not changed by age.', 'docs/limits.md', 'never by age'),
  tested('V6.2.11', 2, 'The words of the office and of the person make none.'),
  tested('V6.2.12', 2, 'What was breached is refused, by a list that is always there.'),
  tested('V6.3.1', 1, 'Whoever guesses waits; the owner does not.'),
  tested('V6.3.2', 1, 'There is no account that nobody made.'),
  elsewhere(
    'V6.3.3',
    2,
    'A second factor is compulsory.',
    [SIGN_IN, 'after the grace of the office says that a second factor comes first'],
    [
      'tests/integration/mfa/totp-setup.test.ts',
      'second factor: the last one stays if the office requires one',
    ],
  ),
  elsewhere(
    'V6.3.4',
    2,
    'No way in is weaker than another.',
    [ACTIVATION, 'keeps the second factor: it opens no session by itself'],
    [
      'tests/integration/mfa/step-up.test.ts',
      'the password is not enough for a user with a second factor',
    ],
  ),
  elsewhere(
    'V6.3.5',
    3,
    'The person hears of what looks strange.',
    [REFRESH, 'a browser that was never used before is told; the first one of all is not'],
    [SIGN_IN, 'is refused even with the right password, told once in the log and to the person'],
    [SECOND_FACTOR, 'after five wrong ones the sign-in is gone, for the right one, too'],
  ),
  elsewhere('V6.3.6', 3, 'A link is no factor.', [
    ACTIVATION,
    'keeps the second factor: it opens no session by itself',
  ]),
  elsewhere(
    'V6.3.7',
    3,
    'The person hears of every change of how they come in.',
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
    'Nobody learns which accounts exist, not even by a clock.',
    [
      'tests/integration/auth/sign-in-time.test.ts',
      'does not reveal whether an account exists, is invited or is suspended',
    ],
    [SIGN_IN, 'of an unknown address is refused in the same way'],
  ),
  elsewhere(
    'V6.4.1',
    1,
    'Links of the first entry are random, expire and are no password.',
    [ACTIVATION, 'opens once, and for a day'],
    [
      'tests/unit/domain/identity/activation-code.test.ts',
      'ten thousand codes: none twice, every character as often as the others',
    ],
  ),
  tested('V6.4.2', 1, 'There are no hints and no secret questions.'),
  elsewhere('V6.4.3', 2, 'Another password leaves the second factor as it is.', [
    ACTIVATION,
    'keeps the second factor: it opens no session by itself',
  ]),
  elsewhere(
    'V6.4.4',
    2,
    'A lost factor is replaced by people who know the person.',
    [REMOVAL, 'factor removal: approved neither by its requester nor by the user concerned'],
    [REMOVAL, 'factor removal: without a second administrator the recorded reason is enough'],
  ),
  elsewhere('V6.4.5', 3, 'Whoever runs out of codes is told in time.', [
    SECOND_FACTOR,
    'a backup code opens one, and few that are left are told',
  ]),
  tested('V6.4.6', 3, 'No administrator chooses or knows a password.'),
  tested('V6.5.1', 2, 'A code opens once.'),
  elsewhere('V6.5.2', 2, 'Codes are stored as hashes with a salt.', [
    'tests/integration/mfa/totp-setup.test.ts',
    'replace those of before, and no code is in the database',
  ]),
  elsewhere('V6.5.3', 2, 'Codes come from a good source of randomness.', [
    'tests/unit/domain/identity/backup-code.test.ts',
    'ten thousand codes are different, and use each character as often',
  ]),
  elsewhere('V6.5.4', 2, 'Codes have twenty random bits at least.', [
    'tests/unit/domain/identity/backup-code.test.ts',
    'twelve characters in three groups, none of them ambiguous',
  ]),
  elsewhere(
    'V6.5.5',
    2,
    'A code lives as long as it is shown, and a few seconds.',
    [SECOND_FACTOR, 'an old code is told from a wrong one, with the time; a future one is not'],
    ['tests/unit/domain/identity/totp.test.ts', 'a code counts once, and none before it any more'],
  ),
  tested('V6.5.6', 3, 'A factor that was taken away opens nothing.'),
  notApplicable(
    'V6.5.7',
    3,
    'Biometrics come second.',
    'What a key asks of its owner stays in the key.',
  ),
  tested('V6.5.8', 3, 'Codes count by the clock of the server.'),
  elsewhere('V6.6.2', 2, 'A challenge serves the request that asked for it.', [
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
  notApplicable(
    'V6.7.1',
    3,
    'Roots of attestations are protected.',
    'No attestation is asked of a key: any key of a person will do.',
  ),
  elsewhere(
    'V6.7.2',
    3,
    'A challenge is random, and serves once.',
    [ASSERT_KEY, 'a challenge serves its own session, once, for five minutes'],
    [ASSERT_KEY, 'challenge: one of 20 simultaneous answers is accepted'],
  ),
]

/** V7: sessions. */
export const SESSION: readonly Requirement[] = [
  documented(
    'V7.1.1',
    2,
    'How long a session lasts is written down.',
    'docs/limits.md',
    'idle | 30 minutes',
  ),
  documented(
    'V7.1.2',
    2,
    'How many sessions a person may have is written down.',
    'docs/security.md',
    'as many sessions',
  ),
  tested('V7.2.1', 1, 'The server judges every token.'),
  tested('V7.2.2', 1, 'Every session has tokens of its own.'),
  tested('V7.2.3', 1, 'Tokens are 256 random bits.'),
  tested('V7.2.4', 1, 'Tokens are new after every proof.'),
  tested('V7.3.1', 2, 'A session that rests too long is over.'),
  tested('V7.3.2', 2, 'A session ends at its time, however busy.'),
  tested('V7.4.1', 1, 'Whoever signs out is out on the server.'),
  tested('V7.4.2', 1, 'Whoever is suspended is out with the next request.'),
  tested('V7.4.3', 2, 'Another password ends all other sessions.'),
  tested('V7.4.4', 2, 'Every page has the way out.'),
  tested('V7.4.5', 2, 'Administrators end one session or all of a person.'),
  tested('V7.5.1', 2, 'What changes an account wants a fresh proof.'),
  tested('V7.5.2', 2, 'Everybody sees their sessions and ends them.'),
  deviation(
    'V7.5.3',
    3,
    'What is grave wants another factor.',
    'To sign wants the private key of the e.firma and its password each time: a factor that the session does not have. Presence by a security key comes with signing sessions.',
  ),
  tested('V7.6.2', 2, 'No session begins by itself.'),
]

/** V8: authorization. */
export const AUTHORIZATION: readonly Requirement[] = [
  elsewhere('V8.1.1', 1, 'Who may do what is one table.', [
    'tests/unit/domain/policy/authorize.test.ts',
    'the whole table',
  ]),
  documented(
    'V8.1.2',
    2,
    'Which fields whom is written down.',
    'docs/security.md',
    '## Who sees which fields',
  ),
  deviation('V8.1.4', 3, 'How surroundings count is written down.', 'They do not (V8.2.4).'),
  tested('V8.2.1', 1, 'What a role may not do it may not do by any address.'),
  tested('V8.2.2', 1, 'An id of another office is as unknown as no id.'),
  tested('V8.2.3', 2, 'Nobody writes a field that is not theirs.'),
  deviation(
    'V8.2.4',
    3,
    'Strange surroundings want more.',
    'Offices work from changing addresses. A browser that was never used raises an alert (V6.3.5), and what is sensitive wants a fresh proof everywhere (V7.5.1).',
  ),
  tested('V8.3.1', 1, 'The server decides, not the page.'),
  tested('V8.3.2', 3, 'A change of rights counts at once.'),
  tested('V8.4.1', 2, 'Nothing of one office is seen in another.'),
  deviation(
    'V8.4.2',
    3,
    'Administration has several layers.',
    'It wants the role, a second factor and a proof of the last ten minutes; networks are for the proxy of the office.',
  ),
]

/** V9: self-contained tokens. */
export const TOKENS: readonly Requirement[] = [
  tested('V9.1.1', 1, 'A token that says who it is for is believed by nobody.'),
  notApplicable('V9.1.2', 1, 'Algorithms of tokens are listed.', OPAQUE),
  notApplicable('V9.1.3', 1, 'Keys of tokens come from a known place.', OPAQUE),
  tested('V9.2.1', 1, 'An old token opens nothing.'),
  tested('V9.2.2', 2, 'One kind of token is of no use as another.'),
  notApplicable('V9.2.3', 2, 'Tokens name whom they are for.', OPAQUE),
]

export const RACES = {
  duty: [SESSIONS, 'a duty is seen with the next request'],
  proof: [REFRESH, 'a proof and twenty exchanges at once leave one session that lives'],
  tabs: [REFRESH, 'refresh: two tabs with lost answers stay signed in over twenty exchanges'],
} as const
