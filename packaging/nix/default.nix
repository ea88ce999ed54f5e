# nix-build packaging/nix, in a checkout.
{ pkgs ? import <nixpkgs> { } }:

pkgs.stdenv.mkDerivation {
  pname = "symbols";
  version = builtins.head (builtins.match ".*project\\(symbols VERSION ([0-9.]+) .*" (builtins.readFile ../../CMakeLists.txt));
  src = pkgs.lib.cleanSource ../..;

  nativeBuildInputs = with pkgs; [ cmake ninja pkg-config ];
  buildInputs = with pkgs; [ boost cli11 fmt md4c rapidjson re2 sqlite xxHash ];
  cmakeFlags = [ "-DSYMBOLS_BUILD_TESTS=OFF" ];

  meta = {
    description = "Symbols of source files, from language servers, as a compact table";
    license = pkgs.lib.licenses.asl20;
    mainProgram = "symbols";
    platforms = pkgs.lib.platforms.linux;
  };
}
