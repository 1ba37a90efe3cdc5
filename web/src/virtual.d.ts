// SPDX-License-Identifier: BSD-3-Clause
declare module "virtual:licences" {
  const licences: { name: string; version: string; licence: string; text: string }[];
  export default licences;
}
declare module "*.css";
