/**
 * An independent check of what each request held: between two compactions the estimates of the requests must lie on one
 * line with the usage that the provider recorded. A reader that loses or misplaces results falls off it.
 */
import { tokensOf } from "./estimate.mjs"

const LEAST = 20

/** The estimate of a request from its line, whatever the line itself says. @param {any} line */
export const estimateOf = (line) =>
  line.messages.reduce((/** @type {number} */ sum, /** @type {any} */ message) => sum + tokensOf(message), 0)

/**
 * The fit of each segment of 20 requests or more, with recorded usage.
 *
 * @param {ReadonlyArray<{ segment: number, input: number }>} recorded
 * @param {ReadonlyArray<number | undefined>} estimates of the same requests, none where it was refused
 * @returns {ReadonlyArray<{ segment: number, requests: number, r2: number }>}
 */
export const fits = (recorded, estimates) => {
  const segments = [...new Set(recorded.map(({ segment }) => segment))]
  return segments.flatMap((segment) => {
    const points = recorded.flatMap((request, at) => {
      const estimate = estimates[at]
      return request.segment === segment && request.input > 0 && estimate !== undefined
        ? [[estimate, request.input]]
        : []
    })
    return points.length < LEAST ? [] : [{ segment, requests: points.length, r2: rSquared(points) }]
  })
}

/** The square of the correlation of two rows. @param {ReadonlyArray<ReadonlyArray<number>>} points */
export const rSquared = (points) => {
  const [meanX, meanY] = [0, 1].map((axis) => points.reduce((sum, point) => sum + point[axis], 0) / points.length)
  let [xy, xx, yy] = [0, 0, 0]
  for (const [x, y] of points) {
    xy += (x - meanX) * (y - meanY)
    xx += (x - meanX) ** 2
    yy += (y - meanY) ** 2
  }
  return xx === 0 || yy === 0 ? 0 : (xy * xy) / (xx * yy)
}
