import {
  deviation,
  documented,
  elsewhere,
  notApplicable,
  PRODUCTION,
  type Requirement,
  tested,
} from './requirement.ts'

const BAD_INPUT = 'tests/e2e/pages/bad-input.http.spec.ts'
const COMING_IN = 'tests/e2e/sign-in/sign-in.http.spec.ts'
const SECOND_FACTOR = 'tests/integration/mfa/verify-second-factor.test.ts'
const PDF_WORK = 'tests/integration/adapters/pdf-work.test.ts'
const EXPORTED_LOG = 'tests/integration/office/export-log.test.ts'
const NO_XML = [
  'No format that is read has XML in it.',
  {
    absent:
      /DOMParser|(?:from |import\(|require\()'(?:[^']*xml[^']*|sax|saxes|jsdom|cheerio|htmlparser2)'|^\s*"(?:[^"]*xml[^"]*|saxe?s?|jsdom|cheerio)":/im,
    below: PRODUCTION,
    broken: [
      "import { XMLParser } from 'fast-xml-parser'",
      "const { parseXml } = await import('libxmljs')",
      "import { DOMParser } from '@xmldom/xmldom'",
      'new DOMParser().parseFromString(text, "text/html")',
      '    "saxes": "6.0.0",',
    ],
  },
] as const
const NO_SOCKETS = [
  'There is no WebSocket and no stream of events.',
  {
    absent:
      /\bWebSocket|\bEventSource\b|text\/event-stream|\('upgrade'|["'](?:ws|socket\.io|engine\.io)["']/,
    below: PRODUCTION,
    broken: [
      "const socket = new WebSocket('wss://rubrica.test/')",
      "import { WebSocketServer } from 'ws'",
      "server.on('upgrade', (request, socket) => accept(socket))",
      "new EventSource('/dashboard/events')",
      "'Content-Type': 'text/event-stream',",
      '    "socket.io": "4.8.0",',
    ],
  },
] as const

/** V1: encoding and sanitization. */
export const ENCODING: readonly Requirement[] = [
  tested('V1.1.1', 2, 'Input is decoded once, before validation.'),
  tested('V1.2.1', 1, 'Output is encoded for its context.'),
  tested('V1.2.2', 1, 'No URL on a page is taken from a visitor.'),
  tested('V1.2.3', 1, 'Data embedded for scripts cannot close the script element.'),
  tested('V1.2.4', 1, 'Queries take values as parameters.'),
  tested('V1.2.5', 1, 'Input never becomes an operating system command.'),
  tested('V1.2.9', 2, 'Search escapes the special characters of patterns.'),
  elsewhere('V1.2.10', 3, 'Exported spreadsheets contain no formulas.', [
    EXPORTED_LOG,
    'a name that a spreadsheet would run is none in the table',
  ]),
  tested('V1.3.2', 1, 'Input is never evaluated as code.'),
  elsewhere('V1.3.3', 2, 'Oversized input is refused without a server error.', [
    BAD_INPUT,
    '10 MB field: refused by every form that reads it',
  ]),
  tested('V1.3.6', 2, 'A visitor cannot make the server call an arbitrary host.'),
  tested('V1.3.11', 2, 'An email address cannot inject headers.'),
  tested('V1.3.12', 3, 'Validation takes bounded time.'),
  notApplicable('V1.5.1', 1, 'XML parsers do not resolve external entities.', ...NO_XML),
  tested('V1.5.2', 2, 'Untrusted input is never deserialized into objects with behaviour.'),
  tested('V1.5.3', 3, 'All parsers read the same input alike.'),
]

/** V2: validation and business logic. */
export const LOGIC: readonly Requirement[] = [
  documented(
    'V2.1.1',
    1,
    'Validation rules are documented.',
    'docs/limits.md',
    'shortest | 15 characters',
  ),
  documented(
    'V2.1.2',
    2,
    'Validation rules across fields are documented.',
    'docs/security.md',
    '## Rules that join fields',
  ),
  documented('V2.1.3', 2, 'Business limits are documented.', 'docs/limits.md', '## Attempts'),
  tested('V2.2.1', 1, 'Every call validates its input.'),
  tested('V2.2.2', 1, 'The server validates, whatever the browser did.'),
  tested('V2.2.3', 2, 'Contradictory fields are refused.'),
  tested('V2.3.1', 1, 'Steps are taken in order.'),
  elsewhere('V2.3.2', 2, 'Business limits are enforced.', [
    'tests/integration/auth/kept-requests.test.ts',
    '64 KB are kept, and nothing larger, nothing elsewhere, and no more than twenty',
  ]),
  tested('V2.3.3', 2, 'Transactions complete or roll back, also after a power failure.'),
  elsewhere(
    'V2.3.4',
    2,
    'A single-use resource is used once under concurrency.',
    [SECOND_FACTOR, 'code of the app: twenty sign-ins open one session'],
    [SECOND_FACTOR, 'backup code: twenty sign-ins open one session'],
    ['tests/integration/auth/activation.test.ts', 'used by twenty at once lets in one'],
  ),
  elsewhere('V2.3.5', 3, 'High-impact actions require two people.', [
    'tests/integration/users/factor-removal.test.ts',
    'one administrator requests it, another approves, and all factors are removed',
  ]),
  tested('V2.4.1', 2, 'Automated attempts are throttled.'),
  deviation(
    'V2.4.2',
    3,
    'Forms require realistic human timing.',
    'Managers of passwords fill in a form at once; attempts are counted instead (V2.4.1).',
  ),
]

/** V3: web frontend. */
export const FRONTEND: readonly Requirement[] = [
  documented(
    'V3.1.1',
    3,
    'Required browser features are documented.',
    'docs/security.md',
    '## Browsers',
  ),
  tested('V3.2.1', 1, 'Data opened as a page is not rendered in the wrong context.'),
  tested('V3.2.2', 1, 'Text is displayed as text.'),
  deviation(
    'V3.3.1',
    1,
    'Cookies are Secure and have a prefix.',
    'All are Secure; all have `__Host-` but `csrftoken` and `refresh_token`, which the specification names so: they are read by scripts, the first is bound to the session by an HMAC, the second holds no secret.',
  ),
  tested('V3.3.2', 2, 'Cookies set SameSite.'),
  tested('V3.3.3', 2, 'Cookies are limited to this host.'),
  tested('V3.3.4', 2, 'Tokens are in HttpOnly cookies and nowhere else.'),
  tested('V3.3.5', 3, 'Cookies do not exceed 4096 bytes.'),
  tested('V3.4.1', 1, 'Every answer sets HSTS for at least one year.'),
  tested('V3.4.2', 1, 'CORS grants access to no other origin.'),
  tested('V3.4.3', 2, 'Every answer has a CSP, and every page its own nonce.'),
  tested('V3.4.4', 2, 'Every answer sets nosniff.'),
  tested('V3.4.5', 2, 'The Referer header reveals no path to other sites.'),
  tested('V3.4.6', 2, 'No other site can frame an answer.'),
  deviation(
    'V3.4.7',
    3,
    'CSP violations are reported.',
    'Reports would bring addresses of documents to an open endpoint. Tests open every page in a browser and fail at the first violation (V1.3.2).',
  ),
  tested('V3.4.8', 3, 'Cross-Origin-Opener-Policy isolates windows.'),
  tested('V3.5.1', 1, 'Every change requires the CSRF token of the session.'),
  tested('V3.5.2', 1, 'Calls refuse content types that a cross-site form can send.'),
  tested('V3.5.3', 1, 'GET changes nothing.'),
  notApplicable(
    'V3.5.4',
    2,
    'Separate applications use separate hosts.',
    'There is one application on its host; documents are shown as pictures and downloaded, never opened in it.',
    {
      absent:
        /\bvhost\b|request\.hostname|Content-Disposition'.{0,4}[`']inline|[`']inline; filename/,
      below: PRODUCTION,
      broken: [
        "app.use(vhost('documentos.notaria.mx', files))",
        "if (request.hostname === 'documentos.notaria.mx') return files(request)",
        "'Content-Disposition': 'inline',",
        'headers.set(\'Content-Disposition\', `inline; filename="a.pdf"`)',
      ],
    },
  ),
  tested('V3.5.5', 2, 'Scripts do not accept messages from other windows.'),
  tested('V3.5.6', 3, 'JSONP is not available.'),
  tested('V3.5.7', 3, 'Script files contain no personal data.'),
  tested('V3.5.8', 3, 'Other sites cannot embed resources that require a session.'),
  tested('V3.6.1', 3, 'Pages load resources from this site only.'),
  tested('V3.7.1', 2, 'Pages need no plug-in.'),
  elsewhere(
    'V3.7.2',
    2,
    'Redirects stay on this site.',
    [COMING_IN, 'returnUrl: never leaves the site'],
    [COMING_IN, 'returnUrl: a repeated one, or one with @, stays on the site'],
  ),
  tested('V3.7.3', 3, 'Users are warned before leaving the site: no page links to another one.'),
  deviation(
    'V3.7.4',
    3,
    'The domain is on the HSTS preload list.',
    'The name belongs to the office, which decides what else it serves under it.',
  ),
  documented(
    'V3.7.5',
    3,
    'Behaviour in browsers without the required features is documented.',
    'docs/security.md',
    '## Browsers',
  ),
]

/** V4: calls and messages. */
export const MESSAGES: readonly Requirement[] = [
  tested('V4.1.1', 1, 'Every body has a Content-Type with its charset.'),
  tested('V4.1.2', 2, 'Only pages redirect to https; calls over http are refused.'),
  tested('V4.1.3', 2, 'Visitors cannot set the headers of the proxy.'),
  tested('V4.1.4', 3, 'Unsupported methods are refused.'),
  elsewhere('V4.1.5', 3, 'High-impact messages are signed by their sender.', [
    'tests/integration/features/signatures/complete.test.ts',
    'a wrong signature is refused, and the right one is still taken',
  ]),
  tested('V4.2.1', 2, 'Messages with an ambiguous length are refused.'),
  tested('V4.2.5', 3, 'Oversized headers are refused.'),
  notApplicable('V4.4.2', 2, 'WebSockets check the origin.', ...NO_SOCKETS),
  notApplicable('V4.4.3', 2, 'WebSockets use session tokens.', ...NO_SOCKETS),
  notApplicable('V4.4.4', 2, 'WebSockets end with the session.', ...NO_SOCKETS),
]

/** V5: files. */
export const FILES: readonly Requirement[] = [
  documented(
    'V5.1.1',
    2,
    'Accepted file types and sizes are documented.',
    'docs/security.md',
    '## Files',
  ),
  elsewhere('V5.2.1', 1, 'Files over the limit are refused and not stored.', [
    BAD_INPUT,
    'document over the limit: refused, and nothing of it is stored',
  ]),
  tested('V5.2.2', 1, 'A file must match its type.'),
  elsewhere(
    'V5.2.3',
    2,
    'Decompression is limited.',
    [PDF_WORK, 'is ended when it takes too much memory, and the thread is replaced'],
    [PDF_WORK, 'is ended by the clock, and the thread is replaced'],
  ),
  deviation(
    'V5.2.4',
    3,
    'Every user has a storage quota.',
    'An office decides how much it keeps by the size of its disk; users who upload are employees, and each upload is an audit event.',
  ),
  tested('V5.2.5', 3, 'Archives contain no symbolic links.'),
  elsewhere(
    'V5.2.6',
    3,
    'Image dimensions are limited.',
    [PDF_WORK, 'never wider than 2000 pixels'],
    [PDF_WORK, 'a page with colours keeps them; a very tall one is drawn narrower'],
  ),
  tested(
    'V5.3.1',
    1,
    'Uploaded files are never executed. Browsers get them as downloads; PDFium draws pictures of their pages in a worker with limits.',
  ),
  tested('V5.3.2', 1, 'Storage paths do not depend on user input.'),
  tested('V5.3.3', 3, 'Unpacking stays in its folder.'),
  tested('V5.4.1', 2, 'Download names are sanitized.'),
  tested('V5.4.2', 2, 'Each URL serves only its own file.'),
  deviation(
    'V5.4.3',
    2,
    'Files are scanned for viruses.',
    'Only PDFs are taken; they are read by our own bounded reader and drawn in a thread that can be ended, never opened by a program of the server. Users who download one have the virus scanner of their own machine; a scanner of the office belongs before the upload, in its proxy.',
  ),
]
