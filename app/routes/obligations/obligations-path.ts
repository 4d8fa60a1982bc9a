export const OBLIGATIONS_PATH = '/dashboard/obligations'
