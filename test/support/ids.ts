export { typesOfIds } from '../../server/ids.ts'
