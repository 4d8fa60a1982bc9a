import { sessionCookies } from '#app/http/cookies/session-cookies.ts'
import { changePassword } from '#server/features/auth/change-password.ts'
import { defineCall } from './define-call.ts'
import { changePasswordRequest, changePasswordResponse } from './factor-schemas.ts'

export const change = defineCall({
  name: 'changePassword',
  method: 'POST',
  template: '/auth/change-password',
  summary: 'Changes the user’s password and ends all other sessions.',
  access: 'session',
  request: changePasswordRequest,
  response: changePasswordResponse,
  refusals: [429],
  async reply({ system, actor, body: { currentPassword: current, newPassword: password } }) {
    const { tokens, ended } = await changePassword(system, actor, { current, password })
    return {
      body: { terminated: ended },
      cookies: sessionCookies(tokens, system.clock.now()),
    }
  },
})
