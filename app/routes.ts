import { index, layout, prefix, type RouteConfig, route } from '@react-router/dev/routes'

/** The site map: every URL, grouped under the guard that protects it. */
export default [
  layout('routes/public/layout.tsx', [
    index('routes/public/home.tsx'),
    route('*', 'routes/public/not-found.tsx'),
  ]),
  route('login', 'routes/auth/login.tsx'),
  route('logout', 'routes/auth/logout.ts'),
  route('theme', 'routes/theme.ts'),
  layout('guards/signed-in.tsx', [
    layout('routes/dashboard/layout.tsx', [
      layout('routes/dashboard/content.tsx', [
        ...prefix('dashboard', [
          index('routes/dashboard/overview.tsx'),
          route('documents', 'routes/documents/list.tsx'),
          route('documents/new', 'routes/documents/new.tsx'),
          route('documents/:id', 'routes/documents/detail.tsx'),
          route('signing', 'routes/dashboard/signing.tsx'),
          route('certificates', 'routes/certificates/list.tsx'),
          route('users', 'routes/users/list.tsx'),
          route('audit', 'routes/audit/list.tsx'),
          route('settings', 'routes/settings/office.tsx'),
          route('profile', 'routes/profile/own.tsx'),
          route('*', 'routes/dashboard/not-found.tsx'),
        ]),
      ]),
    ]),
    route('dashboard/documents/:id/pages/:file', 'routes/documents/page-picture.ts'),
    route('dashboard/documents/:id/download/:version', 'routes/documents/download.ts'),
  ]),
] satisfies RouteConfig
