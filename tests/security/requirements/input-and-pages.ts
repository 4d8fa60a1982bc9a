import {
  deviation,
  documented,
  elsewhere,
  notApplicable,
  type Requirement,
  tested,
} from './requirement.ts'

const BAD_INPUT = 'tests/e2e/pages/bad-input.http.spec.ts'
const COMING_IN = 'tests/e2e/sign-in/sign-in.http.spec.ts'
const SECOND_FACTOR = 'tests/integration/mfa/verify-second-factor.test.ts'
const PDF_WORK = 'tests/integration/adapters/pdf-work.test.ts'
const NO_XML = 'No format that is read has XML in it.'
const NO_ARCHIVES = 'No archive is taken and none is opened.'
const NO_SOCKETS = 'There is no WebSocket and no stream of events.'

/** V1: encoding and sanitization. */
export const ENCODING: readonly Requirement[] = [
  tested('V1.1.1', 2, 'Input is decoded once, before it is judged.'),
  tested('V1.2.1', 1, 'What is shown is encoded for its place.'),
  tested('V1.2.2', 1, 'No address on a page comes from a visitor.'),
  tested('V1.2.3', 1, 'Data for scripts cannot end the script.'),
  tested('V1.2.4', 1, 'Queries take values as parameters.'),
  tested('V1.2.5', 1, 'No text becomes a command.'),
  tested('V1.2.9', 2, 'Signs of patterns mean themselves in a search.'),
  notApplicable('V1.2.10', 3, 'Cells of tables hold no formulas.', 'No table is exported yet.'),
  tested('V1.3.2', 1, 'No text is evaluated as code.'),
  elsewhere('V1.3.3', 2, 'What is too much is refused, never an error.', [
    BAD_INPUT,
    '10 MB in a field are refused, wherever they are sent',
  ]),
  tested('V1.3.6', 2, 'No visitor makes the server call somebody.'),
  tested('V1.3.11', 2, 'No address of e-mail brings headers along.'),
  tested('V1.3.12', 3, 'No field takes long to be judged.'),
  notApplicable('V1.5.1', 1, 'Readers of XML follow no references.', NO_XML),
  tested('V1.5.2', 2, 'What comes from outside is never made into objects with behaviour.'),
  tested('V1.5.3', 3, 'The same input is read in one way everywhere.'),
]

/** V2: validation and business logic. */
export const LOGIC: readonly Requirement[] = [
  documented(
    'V2.1.1',
    1,
    'Rules for input are written down.',
    'docs/limits.md',
    'shortest | 15 characters',
  ),
  documented(
    'V2.1.2',
    2,
    'Rules for fields that belong together are written down.',
    'docs/security.md',
    '## Rules that join fields',
  ),
  documented('V2.1.3', 2, 'Limits of use are written down.', 'docs/limits.md', '## Attempts'),
  tested('V2.2.1', 1, 'Every call judges whatever it is sent, and none fails.'),
  tested('V2.2.2', 1, 'The server judges, whatever the browser did.'),
  tested('V2.2.3', 2, 'Fields that contradict each other are refused.'),
  tested('V2.3.1', 1, 'Steps are taken in their order.'),
  elsewhere('V2.3.2', 2, 'Limits of use hold.', [
    'tests/integration/auth/kept-requests.test.ts',
    '64 KB are kept, and nothing larger, nothing elsewhere, and no more than twenty',
  ]),
  tested(
    'V2.3.3',
    2,
    'What belongs together happens whole or not at all, also when the power goes.',
  ),
  elsewhere(
    'V2.3.4',
    2,
    'What can be used once is used once, by however many at once.',
    [SECOND_FACTOR, 'code of the app: twenty sign-ins open one session'],
    [SECOND_FACTOR, 'backup code: twenty sign-ins open one session'],
    ['tests/integration/auth/activation.test.ts', 'used by twenty at once lets in one'],
  ),
  elsewhere('V2.3.5', 3, 'What is grave wants two people.', [
    'tests/integration/users/factor-removal.test.ts',
    'one administrator asks, another one agrees, and everything goes',
  ]),
  tested('V2.4.1', 2, 'Programs that try again and again wait.'),
  deviation(
    'V2.4.2',
    3,
    'Forms want the time that a person needs.',
    'Managers of passwords fill in a form at once; attempts are counted instead (V2.4.1).',
  ),
]

/** V3: web frontend. */
export const FRONTEND: readonly Requirement[] = [
  documented(
    'V3.1.1',
    3,
    'What browsers must be able to do is written down.',
    'docs/security.md',
    '## Browsers',
  ),
  tested('V3.2.1', 1, 'Data that is opened as a page stays data.'),
  tested('V3.2.2', 1, 'Text is shown as text.'),
  deviation(
    'V3.3.1',
    1,
    'Cookies are Secure and have a prefix.',
    'All are Secure; all have `__Host-` but `csrftoken` and `refresh_token`, which the specification names so: they are read by scripts, the first is bound to the session by an HMAC, the second holds no secret.',
  ),
  tested('V3.3.2', 2, 'Cookies say when other sites may send them.'),
  tested('V3.3.3', 2, 'Cookies are for this host alone.'),
  tested('V3.3.4', 2, 'Tokens are in cookies that no script reads, and nowhere else.'),
  tested('V3.3.5', 3, 'Cookies are short enough for every browser.'),
  tested('V3.4.1', 1, 'Every answer keeps browsers on https for a year.'),
  tested('V3.4.2', 1, 'No other site may read an answer.'),
  tested('V3.4.3', 2, 'Every answer has a policy, and every page its own nonce.'),
  tested('V3.4.4', 2, 'No browser guesses what an answer is.'),
  tested('V3.4.5', 2, 'Other sites do not learn where one came from.'),
  tested('V3.4.6', 2, 'No other site frames an answer.'),
  deviation(
    'V3.4.7',
    3,
    'Browsers report what the policy refused.',
    'Reports would bring addresses of documents to an open endpoint. Tests open every page in a browser and fail at the first violation (V1.3.2).',
  ),
  tested('V3.4.8', 3, 'No window of another site holds on to ours.'),
  tested('V3.5.1', 1, 'Every change wants the token of this session.'),
  tested('V3.5.2', 1, 'Calls take nothing that a form of another site can send.'),
  tested('V3.5.3', 1, 'Reading changes nothing.'),
  notApplicable(
    'V3.5.4',
    2,
    'Applications do not share a host.',
    'There is one application on its host; documents are shown as pictures and downloaded, never opened in it.',
  ),
  tested('V3.5.5', 2, 'Messages of other windows are not listened to.'),
  tested('V3.5.6', 3, 'No answer becomes a script.'),
  tested('V3.5.7', 3, 'No script holds data of a person.'),
  tested('V3.5.8', 3, 'Other sites cannot show what is only for whoever is signed in.'),
  tested('V3.6.1', 3, 'Everything on a page is ours.'),
  tested('V3.7.1', 2, 'No page needs a plug-in.'),
  elsewhere(
    'V3.7.2',
    2,
    'Whoever is led on stays with us.',
    [COMING_IN, 'returnUrl never leads away'],
    [COMING_IN, 'a returnUrl that comes twice, or names an @, stays with us'],
  ),
  tested('V3.7.3', 3, 'Nobody is led to another site unawares: no link leads to one.'),
  deviation(
    'V3.7.4',
    3,
    'The name is on the preload list of browsers.',
    'The name belongs to the office, which decides what else it serves under it.',
  ),
  documented(
    'V3.7.5',
    3,
    'What happens in a browser that can do less is written down.',
    'docs/security.md',
    '## Browsers',
  ),
]

/** V4: calls and messages. */
export const MESSAGES: readonly Requirement[] = [
  tested('V4.1.1', 1, 'Every body says what it is, and in which letters.'),
  tested('V4.1.2', 2, 'Pages are led to https, calls in clear text are refused.'),
  tested('V4.1.3', 2, 'Nobody but the proxy writes its headers.'),
  tested('V4.1.4', 3, 'Methods that nobody uses are refused.'),
  elsewhere('V4.1.5', 3, 'What is grave is signed by whoever wants it.', [
    'tests/integration/features/signatures/complete.test.ts',
    'a wrong signature is refused, and the right one is still taken',
  ]),
  tested('V4.2.1', 2, 'A message whose length is not certain is refused.'),
  tested('V4.2.5', 3, 'Headers that are too long are refused.'),
  notApplicable('V4.4.2', 2, 'Sockets look at the origin.', NO_SOCKETS),
  notApplicable('V4.4.3', 2, 'Sockets have tokens of a session.', NO_SOCKETS),
  notApplicable('V4.4.4', 2, 'Sockets end with the session.', NO_SOCKETS),
]

/** V5: files. */
export const FILES: readonly Requirement[] = [
  documented(
    'V5.1.1',
    2,
    'Which files are taken, and how large, is written down.',
    'docs/security.md',
    '## Files',
  ),
  elsewhere('V5.2.1', 1, 'A file over the limit is refused, and nothing of it stays.', [
    BAD_INPUT,
    'a document over the limit is refused, and nothing of it stays',
  ]),
  tested('V5.2.2', 1, 'A file is what its name says, or is refused.'),
  elsewhere(
    'V5.2.3',
    2,
    'A small file that unfolds into a large one is ended.',
    [PDF_WORK, 'is ended when it takes too much memory, and the thread is replaced'],
    [PDF_WORK, 'is ended by the clock, and the thread is replaced'],
  ),
  deviation(
    'V5.2.4',
    3,
    'Every person has a quota.',
    'An office decides how much it keeps by the size of its disk; whoever uploads is an employee and stands in the log.',
  ),
  notApplicable('V5.2.5', 3, 'Archives hold no links.', NO_ARCHIVES),
  elsewhere(
    'V5.2.6',
    3,
    'Pictures have an end.',
    [PDF_WORK, 'never wider than 2000 pixels'],
    [PDF_WORK, 'a page with colours keeps them; a very tall one is drawn narrower'],
  ),
  tested('V5.3.1', 1, 'What was brought in is downloaded, never run.'),
  tested('V5.3.2', 1, 'Where a file lies is ours to say.'),
  notApplicable('V5.3.3', 3, 'Unpacking stays in its folder.', NO_ARCHIVES),
  tested('V5.4.1', 2, 'The name of a download is ours or made harmless.'),
  tested('V5.4.2', 2, 'What is served is what lies there, under one address.'),
  deviation(
    'V5.4.3',
    2,
    'Files are searched for viruses.',
    'Only PDFs are taken; they are read by our own bounded reader and drawn in a thread that can be ended, never opened by a program of the server. Whoever downloads one has the virus scanner of their own machine; a scanner of the office belongs before the upload, in its proxy.',
  ),
]
