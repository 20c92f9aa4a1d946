# SPDX-License-Identifier: Apache-2.0
# Never built: it was written without nixpkgs.  Say so, or remove this line, when you have.
# nix-build packaging/nix, in the unpacked archive of `make dist`.
{ pkgs ? import <nixpkgs> { } }:
pkgs.stdenv.mkDerivation {
  pname = "intervale";
  version = "0.4.0";
  src = ../..;
  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
  buildInputs = with pkgs; [ boost random123 kissfft zlib zstd jansson sqlite libevent ];
  cmakeFlags = [ "-DBUILD_TESTING=OFF" ];
  meta.license = pkgs.lib.licenses.asl20;
}
