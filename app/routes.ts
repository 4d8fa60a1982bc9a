import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes'

/** The site map: every URL, grouped under the guard that protects it. */
export default [
  layout('routes/public/layout.tsx', [
    index('routes/public/home.tsx'),
    route('verify/document', 'routes/public/verify-document.tsx'),
    route('verify/document/report.json', 'routes/public/upload-as-file.tsx'),
    route('verify/document/report.pdf', 'routes/public/upload-as-file.tsx', {
      id: 'upload-report-pdf',
    }),
    route('verify/document/signed.pdf', 'routes/public/upload-as-file.tsx', {
      id: 'upload-signed-revision',
    }),
    route('verify/:uuid', 'routes/public/verify.tsx'),
    route('*', 'routes/public/not-found.tsx'),
  ]),
  route('verify/document/registered', 'routes/public/registered.ts'),
  route('verify/:uuid/report.json', 'routes/public/report.ts'),
  route('verify/:uuid/report.pdf', 'routes/public/report.ts', { id: 'report-pdf' }),
  // Calls of the signing page: a guard would answer them with the sign-in page.
  route('dashboard/documents/:id/sign/prepare', 'routes/signing/prepare.ts'),
  route('dashboard/documents/:id/sign/complete', 'routes/signing/complete.ts'),
  route('sign/documents/:id/prepare', 'routes/signing/prepare.ts', { id: 'guest-prepare' }),
  route('sign/documents/:id/complete', 'routes/signing/complete.ts', { id: 'guest-complete' }),
  route('sign', 'routes/signing/open-link.tsx'),
  layout('guards/guest.tsx', [
    layout('routes/signing/guest-layout.tsx', [
      route('sign/documents', 'routes/signing/guest-documents.tsx'),
      route('sign/documents/:id', 'routes/signing/guest-document.tsx'),
      route('sign/documents/:id/without-scripts', 'routes/signing/guest-without-scripts.tsx'),
      route('sign/reject', 'routes/signing/guest-reject.tsx'),
      route('sign/privacy', 'routes/signing/guest-privacy.tsx'),
    ]),
    route('sign/documents/:id/pages/:file', 'routes/documents/page-picture.ts', {
      id: 'guest-page-picture',
    }),
    route('sign/documents/:id/download/:version', 'routes/documents/download.ts', {
      id: 'guest-download',
    }),
  ]),
  route('api/*', 'routes/api/call.ts'),
  route('login', 'routes/auth/login.tsx'),
  route('mfa', 'routes/mfa/challenge.tsx'),
  route('activate', 'routes/auth/activate.tsx'),
  route('activate/installation', 'routes/auth/activate-installation.tsx'),
  route('password-strength', 'routes/auth/password-strength.ts'),
  layout('guards/with-duty.tsx', [
    route('change-password', 'routes/auth/change-password.tsx'),
    route('setup-mfa', 'routes/mfa/setup.tsx'),
    route('setup-mfa/key', 'routes/mfa/setup-key.tsx'),
    route('setup-mfa/app', 'routes/mfa/setup-app.tsx'),
    route('setup-mfa/backup-codes', 'routes/mfa/backup-codes.tsx'),
    route('setup-mfa/backup-codes.txt', 'routes/mfa/backup-codes-text.ts'),
    route('step-up', 'routes/mfa/step-up.tsx', { id: 'step-up' }),
    route('step-up/:id', 'routes/mfa/step-up.tsx', { id: 'step-up-and-resume' }),
  ]),
  route('logout', 'routes/auth/logout.ts'),
  route('theme', 'routes/profile/theme.ts'),
  layout('guards/signed-in.tsx', [
    layout('routes/dashboard/layout.tsx', [
      layout('routes/dashboard/content.tsx', [
        ...prefix('dashboard', [
          index('routes/dashboard/overview.tsx'),
          route('documents', 'routes/documents/list.tsx'),
          route('documents/new', 'routes/documents/new.tsx'),
          route('documents/:id', 'routes/documents/detail.tsx'),
          route('documents/:id/sign', 'routes/signing/sign.tsx'),
          route('documents/:id/sign/without-scripts', 'routes/signing/sign-without-scripts.tsx'),
          route('signing', 'routes/dashboard/signing.tsx'),
          route('certificates', 'routes/certificates/list.tsx'),
          route('users', 'routes/users/list.tsx'),
          layout('guards/administrators.tsx', [route('users/new', 'routes/users/new.tsx')]),
          route('users/:id', 'routes/users/person.tsx'),
          route('alerts', 'routes/alerts/list.tsx'),
          route('audit', 'routes/audit/list.tsx'),
          route('settings', 'routes/settings/office.tsx'),
          layout('guards/administrators.tsx', { id: 'office-management' }, [
            route('settings/authorities/new', 'routes/settings/import-authorities.tsx'),
            route('settings/authorities/:sha256', 'routes/settings/authority.tsx'),
            route('settings/providers/new', 'routes/settings/new-provider.tsx'),
            route('settings/providers/:id', 'routes/settings/provider.tsx'),
            route('settings/timestamps', 'routes/settings/timestamp-policy.tsx'),
          ]),
          route('profile', 'routes/profile/own.tsx'),
          route('profile/keys/:id', 'routes/profile/security-key.tsx'),
          route('profile/authenticator', 'routes/profile/authenticator.tsx'),
          route('profile/backup-codes', 'routes/profile/backup-codes.tsx'),
          route('*', 'routes/dashboard/not-found.tsx'),
        ]),
      ]),
    ]),
    route('dashboard/profile/other-sessions', 'routes/profile/other-sessions.ts'),
    route('dashboard/documents/:id/pages/:file', 'routes/documents/page-picture.ts'),
    route('dashboard/documents/:id/download/:version', 'routes/documents/download.ts'),
    route('dashboard/documents/:id/evidence.pdf', 'routes/documents/evidence.ts'),
    route('dashboard/documents/:id/revision/:file', 'routes/documents/signed-revision.ts'),
  ]),
] satisfies RouteConfig
