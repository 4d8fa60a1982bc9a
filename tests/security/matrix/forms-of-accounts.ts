import { fileForm, form, ownForm } from './asked-form.ts'
import type { Asked } from './request.ts'
import type { Credentials, Things } from './world.ts'

const key = (_: Things, { own }: Credentials) => `/dashboard/profile/keys/${own.key}`
const stepUp = (_: Things, { own }: Credentials) => `/step-up/${own.kept}`
const WRONG_PASSWORD = 'no es la contraseña de nadie'
const NEW_PASSWORD = 'tortuga verde sobre el tejado'
const typedTwice = { newPassword: NEW_PASSWORD, confirmPassword: NEW_PASSWORD }

/** An actor with a session is sent on. */
const signedOut =
  (done: number, signedIn = 303) =>
  (actor: string) =>
    /^(?:guest|guest-without-consent|foreign-guest|program|between-factors|stranger)$/.test(actor)
      ? done
      : signedIn

export const accountForms = {
  'routes/auth/login': {
    'sign in': ownForm(
      'open',
      '/login',
      { email: 'nadie@notaria.example', password: WRONG_PASSWORD },
      signedOut(401),
    ),
  },
  'routes/mfa/challenge': {
    prove: ownForm('open', '/mfa', { method: 'TOTP', code: '000000' }, (actor) =>
      actor === 'between-factors' ? 401 : 303,
    ),
  },
  'routes/auth/activate': {
    activate: ownForm('open', '/activate', { code: '0'.repeat(26), ...typedTwice }, 410),
  },
  'routes/auth/activate-installation-page': {
    activate: ownForm('open', '/activate/installation', { code: '0'.repeat(26) }, 303),
  },
  'routes/auth/password-strength': {
    rate: ownForm('open', '/password-strength', { password: NEW_PASSWORD }, 200),
  },
  'routes/auth/keep-form': {
    keep: ownForm('open', '/keep-form', { firstName: 'Ximena' }, signedOut(403, 200)),
  },
  'routes/auth/change-password-page': {
    change: ownForm(
      'password.change-own',
      '/change-password',
      { currentPassword: WRONG_PASSWORD, ...typedTwice },
      422,
    ),
  },
  'routes/auth/logout': { 'sign out': ownForm('open', '/logout') },
  'routes/profile/theme': { choose: ownForm('open', '/theme', { theme: 'dark' }) },
  'routes/mfa/setup': { choose: ownForm('factors.manage-own', '/setup-mfa', { method: 'TOTP' }) },
  'routes/mfa/setup-app': {
    // No setup is under way.
    verify: {
      ...ownForm('factors.manage-own', '/setup-mfa/app', { code: '000000' }),
      stepsUpBefore: true,
    },
  },
  'routes/mfa/setup-key': {
    // Checked before anything is asked about the key.
    add: {
      ...ownForm('person', '/setup-mfa/key', { name: 'Llave', response: '{}' }, (actor) =>
        actor === 'stale' ? 302 : 422,
      ),
      doneAsData: 422,
    },
  },
  'routes/mfa/backup-codes': { confirm: ownForm('person', '/setup-mfa/backup-codes') },
  'step-up': {
    prove: ownForm(
      'identity.prove-own',
      '/step-up',
      { method: 'PASSWORD', password: WRONG_PASSWORD },
      401,
    ),
  },
  'step-up-and-resume': {
    prove: ownForm(
      'identity.prove-own',
      stepUp,
      { method: 'PASSWORD', password: WRONG_PASSWORD },
      401,
    ),
  },
  'routes/profile/own': {
    'end a session': ownForm('sessions.end-own', '/dashboard/profile', (_, { own }) => ({
      sessionId: own.otherSession,
    })),
    // Of another user: like none.
    'end the session of another': ownForm(
      'sessions.end-own',
      '/dashboard/profile',
      ({ userSession: sessionId }) => ({ sessionId }),
      404,
    ),
  },
  'routes/profile/other-sessions': {
    end: ownForm('sessions.end-own', '/dashboard/profile/other-sessions'),
  },
  'routes/profile/security-key': {
    rename: ownForm('factors.manage-own', key, { change: 'rename', name: 'Otra' }),
    remove: ownForm('factors.manage-own', key, { change: 'remove' }),
  },
  'routes/profile/authenticator': {
    remove: ownForm('factors.manage-own', '/dashboard/profile/authenticator'),
  },
  'routes/profile/calendar-page': {
    create: ownForm('calendar-feed.manage-own', '/dashboard/profile/calendar', {
      change: 'create',
    }),
    revoke: ownForm('calendar-feed.read-own', '/dashboard/profile/calendar', {
      change: 'revoke',
    }),
  },
  'routes/profile/accounts-page': {
    link: ownForm(
      'accounts.link-own',
      '/dashboard/profile/offices',
      { change: 'link', email: 'otra@notaria.example', password: 'una contraseña que no es' },
      422,
    ),
    switch: ownForm(
      'accounts.switch-own',
      '/dashboard/profile/offices',
      ({ userSession: userId }) => ({ change: 'switch', userId }),
      404,
    ),
    unlink: ownForm(
      'accounts.read-own',
      '/dashboard/profile/offices',
      ({ userSession: userId }) => ({ change: 'unlink', userId }),
      404,
    ),
  },
  'routes/profile/access-tokens-page': {
    create: ownForm('access-tokens.manage-own', '/dashboard/profile/tokens', {
      ...{ change: 'create', name: 'Nuevo', days: '30' },
    }),
    revoke: ownForm('access-tokens.read-own', '/dashboard/profile/tokens', (_, { own }) => ({
      ...{ change: 'revoke', accessTokenId: own.token },
    })),
  },
  'routes/profile/backup-codes': {
    regenerate: ownForm('factors.manage-own', '/dashboard/profile/backup-codes'),
  },
  'routes/certificates/new': {
    register: fileForm('certificates.register-own', '/dashboard/certificates/new', {
      files: ['certificate'],
    }),
  },
  'routes/certificates/detail': {
    ask: form(
      'certificates.read',
      ({ certificate }) => `/dashboard/certificates/${certificate}`,
      {},
    ),
  },
  'routes/certificates/file/file': {
    describe: fileForm('certificates.read', '/dashboard/certificates/file', {
      ...{ files: ['certificate'], done: 200 },
    }),
  },
  'routes/profile/alert-mail-page': {
    choose: ownForm('alerts.manage-own', '/dashboard/profile/alerts', { mail: 'daily' }),
  },
  'routes/alerts/list': {
    read: ownForm('alerts.read', '/dashboard/alerts', (_, { own }) => ({
      ...{ alertId: own.alert, to: 'read' },
    })),
    resolve: ownForm('alerts.read', '/dashboard/alerts', (_, { own }) => ({
      ...{ alertId: own.alert, to: 'resolved' },
    })),
    'read all': ownForm('alerts.read', '/dashboard/alerts', { until: '1', to: 'all' }),
    'read one of the office': {
      ...form('alerts.read-office', '/dashboard/alerts', ({ officeAlert: alertId }) => ({
        ...{ alertId, to: 'read' },
      })),
      isHidden: true,
    },
  },
  // Sealed for no session: it undoes nothing.
  'routes/dashboard/undo': { undo: ownForm('person', '/dashboard/undo', { undo: '1.AAAA' }) },
  'routes/dashboard/not-found': { post: ownForm('person', '/dashboard/no-such-page', {}, 404) },
} satisfies Record<string, Readonly<Record<string, Asked>>>
